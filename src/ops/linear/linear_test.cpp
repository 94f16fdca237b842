// What the cases against the double reference cannot show: that every CPU path gives the same bits, that block formats
// sum their integers exactly, and what inputs that are not finite do.
#include "ops/linear/linear.h"

#include "core/error.h"
#include "core/rng.h"
#include "device/cpu/path.h"
#include "ops/linear/cpu.h"
#include "ops/linear/pack.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace ridge {
namespace {

constexpr Format kBlocks[] = {Format::q4_0, Format::q4_1, Format::q8_0};
// Rows of random bytes as the file would hold them: integers of every value, scales and minima finite.
std::vector<std::byte> random_rows(Format format, std::int64_t n, std::int64_t k, PhiloxStream& random) {
  const auto row = static_cast<std::size_t>(row_bytes(format, k));
  std::vector<std::byte> rows(static_cast<std::size_t>(n) * row);
  std::vector<float> values(static_cast<std::size_t>(k));
  for (std::size_t r = 0; r < static_cast<std::size_t>(n); ++r) {
    std::generate(values.begin(), values.end(), [&] { return random.normal(); });
    encode_row(format, values, {rows.data() + r * row, row});
  }
  if (format != Format::q8_0) return rows;
  // -128 occurs in no encoded file and is the value that signed multiplications trip over.
  for (std::size_t at = 2; at + 32 <= rows.size(); at += 34) {
    if (random.below(3) == 0) std::fill_n(rows.begin() + static_cast<std::ptrdiff_t>(at), 32, std::byte{0x80});
  }
  return rows;
}

struct Path {
  CpuPath path;
  LinearTileFunction tile;
  QuantisePanelFunction quantise;
};
constexpr Path kPaths[] = {{CpuPath::portable, linear_tile_portable, quantise_panel_portable},
                           {CpuPath::avx2, linear_tile_avx2, quantise_panel_avx2},
                           {CpuPath::avx512, linear_tile_avx512, quantise_panel_avx512}};

std::vector<float> random_floats(std::int64_t count, PhiloxStream& random) {
  std::vector<float> values(static_cast<std::size_t>(count));
  std::generate(values.begin(), values.end(), [&] { return random.normal(); });
  return values;
}

std::vector<std::byte> quantise(const Path& path, const std::vector<float>& x, std::int64_t rows, std::int64_t k) {
  std::vector<std::byte> panels(static_cast<std::size_t>(rows * quantised_row_bytes(k)));
  for (std::int64_t t = 0; t < rows; t += kPanelRows) {
    path.quantise(x.data() + t * k, k, std::min(kPanelRows, rows - t), panels.data() + t * quantised_row_bytes(k));
  }
  return panels;
}

// y [rows, n] by one path, a block of outputs at a time.
std::vector<float> run_path(const Path& path, const Weight& weight, const std::vector<float>& x, std::int64_t rows) {
  const bool is_float = packed_format(weight.format).bits == 0;
  const std::vector<std::byte> panels = is_float ? std::vector<std::byte>() : quantise(path, x, rows, weight.k);
  std::vector<float> y(static_cast<std::size_t>(rows * weight.n), std::numeric_limits<float>::quiet_NaN());
  for (std::int64_t block = 0; block < row_blocks(weight.n); ++block) {
    path.tile({.format = weight.format,
               .k = weight.k,
               .weights = weight.bytes.data<std::byte>() + block * packed_block_bytes(weight.format, weight.k),
               .x = x.data(),
               .quantised = panels.data(),
               .first = 0,
               .end = rows,
               .y = y.data() + block * kRowsOfBlock,
               .y_stride = weight.n,
               .lanes = std::min(kRowsOfBlock, weight.n - block * kRowsOfBlock),
               .bias = nullptr,
               .residual = nullptr});
  }
  return y;
}

// Zero groups, subnormal and huge ones, and a value that only just fits.
void make_extreme(std::vector<float>& x, std::int64_t k) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t group = i % static_cast<std::size_t>(k) / 32;
    if (group == 1) x[i] = 0.0F;
    if (group == 2) x[i] *= 1e-40F;
    if (group == 3) x[i] *= 1e30F;
    if (group == 4) x[i] = i % 2 == 0 ? 127.0F : -127.0F;
  }
}

TEST(Linear, EveryPathGivesTheSameBits) {
  const auto device = Device::cpu(1);
  PhiloxStream random(7);
  for (const FormatInfo& info : format_table()) {
    for (const std::int64_t rows : {1, 2, 3, 4, 5, 7, 8, 12, 15, 19}) {
      const std::int64_t n = 37;
      const std::int64_t k = 192;
      const Weight weight = pack_weight(Exec(*device), info.format, n, k, random_rows(info.format, n, k, random));
      std::vector<float> x = random_floats(rows * k, random);
      make_extreme(x, k);
      const std::vector<float> expected = run_path(kPaths[0], weight, x, rows);
      for (const Path& path : kPaths) {
        if (!cpu_path_supported(path.path)) continue;
        const std::vector<float> got = run_path(path, weight, x, rows);
        EXPECT_EQ(std::memcmp(got.data(), expected.data(), got.size() * sizeof(float)), 0)
            << info.name << " rows=" << rows << " on " << cpu_path_name(path.path);
      }
    }
  }
}

// One quantised group of a row as the panels hold it.
struct InputGroup {
  std::int8_t q[32];
  float scale;
};
InputGroup input_group(const std::vector<std::byte>& panels, std::int64_t rows, std::int64_t k, std::int64_t t,
                       std::int64_t group) {
  const std::int64_t first = t / kPanelRows * kPanelRows;
  const std::int64_t height = std::min(kPanelRows, rows - first);
  const std::byte* at = panels.data() + first * quantised_row_bytes(k) + group * height * kQuantisedGroupBytes;
  InputGroup out;
  std::memcpy(out.q, at + (t - first) * kGroupElements, sizeof out.q);
  std::memcpy(&out.scale, at + height * kGroupElements + (t - first) * 4, sizeof out.scale);
  return out;
}

// The same sum in double over the quantised input: what remains is the rounding of three operations a group.
void expect_integers_exact(const Path& path, Format format, std::int64_t rows, PhiloxStream& random) {
  const auto device = Device::cpu(1);
  const std::int64_t n = 18;
  const std::int64_t k = 576;
  const Weight weight = pack_weight(Exec(*device), format, n, k, random_rows(format, n, k, random));
  const std::vector<float> x = random_floats(rows * k, random);
  const std::vector<float> y = run_path(path, weight, x, rows);
  const std::vector<std::byte> panels = quantise(path, x, rows, k);
  std::vector<float> w(static_cast<std::size_t>(k));
  for (std::int64_t r = 0; r < n; ++r) {
    unpack_row(weight, r, w.data());
    for (std::int64_t t = 0; t < rows; ++t) {
      double sum = 0;
      double magnitude = 0;
      for (std::int64_t i = 0; i < k; ++i) {
        const InputGroup group = input_group(panels, rows, k, t, i / 32);
        const double term = static_cast<double>(w[static_cast<std::size_t>(i)]) * group.q[i % 32] * group.scale;
        sum += term;
        magnitude += std::fabs(term);
      }
      // Q4_1 adds a positive part and a minimum that nearly cancel: its terms are up to 16 times the weights' own.
      const double terms = format == Format::q4_1 ? 16 * magnitude : magnitude;
      const double tolerance = (k / 32.0 + 4) * 0x1p-24 * terms;
      EXPECT_LE(std::fabs(y[static_cast<std::size_t>(t * n + r)] - sum), tolerance)
          << format_name(format) << " t=" << t << " n=" << r << " on " << cpu_path_name(path.path);
    }
  }
}

TEST(Linear, BlockFormatsSumTheirIntegersExactly) {
  PhiloxStream random(11);
  for (const Path& path : kPaths) {
    if (!cpu_path_supported(path.path)) continue;
    for (const Format format : kBlocks) {
      for (const std::int64_t rows : {1, 6, 8}) expect_integers_exact(path, format, rows, random);
    }
  }
}

TEST(Linear, QuantisedInputIsWithinHalfAStep) {
  PhiloxStream random(13);
  const std::int64_t k = 192;
  std::vector<float> x = random_floats(7 * k, random);
  make_extreme(x, k);
  for (const Path& path : kPaths) {
    if (!cpu_path_supported(path.path)) continue;
    const std::vector<std::byte> panels = quantise(path, x, 7, k);
    for (std::int64_t i = 0; i < 7 * k; ++i) {
      const InputGroup group = input_group(panels, 7, k, i / k, i % k / 32);
      const double value = static_cast<double>(group.scale) * group.q[i % 32];
      EXPECT_LE(std::fabs(value - x[static_cast<std::size_t>(i)]), group.scale * (0.5 + 127 * 0x1p-22) + 0x1p-118);
      EXPECT_NE(group.q[i % 32], -128);
    }
  }
}

TEST(Linear, InputThatIsNotFiniteMakesItsRowNan) {
  const auto device = Device::cpu(1);
  PhiloxStream random(3);
  for (const Path& path : kPaths) {
    if (!cpu_path_supported(path.path)) continue;
    for (const Format format : kBlocks) {
      const Weight weight = pack_weight(Exec(*device), format, 17, 64, random_rows(format, 17, 64, random));
      for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                              -std::numeric_limits<float>::infinity()}) {
        for (std::int64_t at = 0; at < 64; ++at) {
          std::vector<float> x = random_floats(3 * 64, random);
          x[static_cast<std::size_t>(64 + at)] = bad;
          const std::vector<float> y = run_path(path, weight, x, 3);
          for (std::size_t i = 0; i < y.size(); ++i) {
            EXPECT_EQ(std::isnan(y[i]), i / 17 == 1) << format_name(format) << " value at " << at << ", output " << i;
          }
        }
      }
    }
  }
}

TEST(Linear, RowsDoNotDependOnTheirCompany) {
  PhiloxStream random(5);
  const auto device = Device::cpu(3);
  const Exec exec(*device);
  const std::int64_t k = 576;
  for (const FormatInfo& info : format_table()) {
    const Weight weight = pack_weight(exec, info.format, 100, k, random_rows(info.format, 100, k, random));
    std::vector<float> x = random_floats(400 * k, random);
    const Tensor all = linear(exec, {.x = Tensor::borrow(x.data(), {400, k}, DType::f32), .weights = {&weight}})[0];
    for (const std::int64_t t : {0, 1, 6, 255, 399}) {
      const Tensor one =
          linear(exec, {.x = Tensor::borrow(x.data() + t * k, {1, k}, DType::f32), .weights = {&weight}})[0];
      EXPECT_EQ(std::memcmp(one.data<float>(), all.data<float>() + t * 100, 400), 0) << info.name << " row " << t;
    }
  }
}

TEST(Linear, UnpackedRowsAreThoseOfTheFile) {
  PhiloxStream random(17);
  const auto device = Device::cpu(2);
  for (const FormatInfo& info : format_table()) {
    for (const std::int64_t n : {1, 15, 16, 17, 33}) {
      const std::int64_t k = 96;
      const std::vector<std::byte> rows = random_rows(info.format, n, k, random);
      const Weight weight = pack_weight(Exec(*device), info.format, n, k, rows);
      const auto bytes = static_cast<std::size_t>(row_bytes(info.format, k));
      for (std::int64_t r = 0; r < n; ++r) {
        std::vector<float> expected(static_cast<std::size_t>(k));
        std::vector<float> got(static_cast<std::size_t>(k));
        decode_row(info.format, {rows.data() + static_cast<std::size_t>(r) * bytes, bytes}, expected);
        unpack_row(weight, r, got.data());
        EXPECT_EQ(std::memcmp(got.data(), expected.data(), static_cast<std::size_t>(k) * 4), 0) << info.name;
      }
    }
  }
}

TEST(Linear, PackRefusesSizesThatDoNotFit) {
  const auto device = Device::cpu(1);
  const Exec exec(*device);
  constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();
  EXPECT_THROW(static_cast<void>(packed_bytes(Format::f32, kHuge, 32)), Error);
  EXPECT_THROW(static_cast<void>(packed_bytes(Format::f32, 32, kHuge)), Error);
  EXPECT_THROW(static_cast<void>(packed_bytes(Format::q4_1, 1, 33)), Error);
  EXPECT_THROW(static_cast<void>(packed_bytes(Format::q4_1, -1, 32)), Error);
  const std::vector<std::byte> rows(19);
  EXPECT_THROW(static_cast<void>(pack_weight(exec, Format::q4_1, 1, 32, rows)), Error);
}

}  // namespace
}  // namespace ridge
