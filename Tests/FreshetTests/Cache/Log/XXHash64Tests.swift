import Foundation
import Testing

@testable import Freshet

@Suite(.timeLimit(.minutes(5)))
struct XXHash64Tests {
  /// The generator of the reference implementation's own tests.
  static let bytes: [UInt8] = {
    var generator: UInt64 = 2_654_435_761
    return (0..<400).map { _ in
      defer { generator &*= 11_400_714_785_074_694_797 }
      return UInt8(truncatingIfNeeded: generator >> 56)
    }
  }()

  @Test(
    arguments: [
      (0, 0xef46_db37_51d8_e999, 0xac75_fda2_929b_17ef),
      (1, 0xe934_a84a_db05_2768, 0x5014_6076_43a9_b4c3),
      (3, 0xff7e_1959_cb50_794a, 0xaa85_84e8_3660_f7d1),
      (4, 0x9136_a0dc_a574_57ee, 0xcaab_286b_d8e9_fdb5),
      (7, 0x6c83_909a_9f01_ed25, 0xf98d_03b1_ad6f_9293),
      (8, 0xcdbc_f538_e71d_1348, 0xfe0c_047a_5353_cdac),
      (9, 0x554b_1ae9_91ed_a6b6, 0x7908_2652_48f6_d73f),
      (14, 0x8282_dcc4_994e_35c8, 0xc3bd_6bf6_3deb_6df0),
      (31, 0x299b_39a2_90e6_d783, 0xda67_3d5f_eb5c_1d79),
      (32, 0x18b2_1649_2bb4_4b70, 0xb3f3_3bdf_93ad_e409),
      (33, 0x55c8_dc3e_578f_5b59, 0xe92c_292f_64bc_3071),
      (63, 0xa9ef_be0f_a0f3_f4e7, 0x6c91_1fad_b05b_6fc2),
      (64, 0xef55_8f8a_cac2_b5cd, 0xb5ee_ba99_264c_c44f),
      (100, 0x4bfe_019c_d91d_9ea4, 0x4853_706d_c962_5cae),
      (222, 0xb641_ae8c_b691_c174, 0x20cb_8ab7_ae10_c14a),
      (256, 0x5e3f_5bf9_4d57_4981, 0x3473_3cbd_9cc1_b0d5),
      (300, 0x27d0_e073_ec12_824f, 0x36cb_189d_9f3b_6ad6),
    ] as [(Int, UInt64, UInt64)])
  func `the reference vectors, without and with a seed`(count: Int, plain: UInt64, seeded: UInt64) {
    #expect(XXHash64.hash(Data(Self.bytes.prefix(count))) == plain)
    #expect(XXHash64.hash(Data(Self.bytes.prefix(count)), seed: 2_654_435_761) == seeded)
    // Bytes in the middle of others are read from where they stand.
    let shifted = (Data([1, 2, 3]) + Self.bytes).dropFirst(3).prefix(count)
    #expect(XXHash64.hash(shifted) == plain)
  }

  @Test(
    arguments: [
      ("a", 0xd24e_c4f1_a98c_6e5b), ("abc", 0x44bc_2cf5_ad77_0999),
      ("message digest", 0x066e_d728_fcee_b3be),
      ("Nobody inspects the spammish repetition", 0xfbce_a83c_8a37_8bf1),
    ] as [(String, UInt64)])
  func `known texts have the known checksums`(text: String, checksum: UInt64) {
    #expect(XXHash64.hash(Data(text.utf8)) == checksum)
  }
}
