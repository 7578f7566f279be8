// SPDX-License-Identifier: GPL-3.0-or-later
// Times Pinocchio's articulated-body algorithm alone. Built and fed by benchmarks/pinocchio_aba.py.
//
// In: number of bodies, repetitions, rounds; then for each body, depth first, its parent (-1: the ground), placement
// in it (rotation by rows, offset), mass, centre of mass, inertia about it by rows. Out: shortest seconds of a call.

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/multibody.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <limits>
#include <string>

using Matrix = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
using Clock = std::chrono::steady_clock;

template <typename T>
T read(int rows, int columns) {
  T values;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) std::cin >> values(row, column);
  return values;
}

int main() {
  int bodies, repetitions, rounds;
  std::cin >> bodies >> repetitions >> rounds;
  pinocchio::Model model;
  for (int body = 0; body < bodies; ++body) {
    int parent;
    std::cin >> parent;
    const auto rotation = read<Matrix>(3, 3);
    const auto offset = read<Eigen::Vector3d>(3, 1);
    double mass;
    std::cin >> mass;
    const auto center = read<Eigen::Vector3d>(3, 1);
    const auto inertia = read<Matrix>(3, 3);
    const auto joint = model.addJoint(
      parent + 1, pinocchio::JointModelSpherical(), pinocchio::SE3(rotation, offset), std::to_string(body));
    model.appendBodyToJoint(joint, pinocchio::Inertia(mass, center, inertia));
  }
  if (!std::cin) return 1;
  pinocchio::Data data(model);
  const Eigen::VectorXd q = pinocchio::neutral(model);
  const Eigen::VectorXd v = Eigen::VectorXd::LinSpaced(model.nv, -0.1, 0.1);
  const Eigen::VectorXd torque = Eigen::VectorXd::Zero(model.nv);
  double best = std::numeric_limits<double>::infinity(), sum = 0.0;
  for (int round = 0; round < rounds; ++round) {
    const auto begin = Clock::now();
    for (int k = 0; k < repetitions; ++k) sum += pinocchio::aba(model, data, q, v, torque)[0];
    best = std::min(best, std::chrono::duration<double>(Clock::now() - begin).count() / repetitions);
  }
  std::cout.precision(9);
  std::cout << best << "\n";
  return std::isfinite(sum) ? 0 : 2;
}
