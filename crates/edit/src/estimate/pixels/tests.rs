//! The sizes of images of four kinds, whole and cut short.

use super::*;

fn encoded(bytes: &[u8]) -> String {
    BASE64.encode(bytes)
}

#[test]
fn an_image_is_read_up_to_what_is_no_base64() {
    assert_eq!(beginning("QUJDREVG", 3), b"ABC");
    assert_eq!(beginning("QUJD????QUJD", 30), b"ABC");
    assert_eq!(beginning("QUJD\n", 30), b"ABC");
}

#[test]
fn sizes_are_found_in_all_four_kinds() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x04\0\0\0\x03\0\x08\x06\0\0\0";
    assert_eq!(size(&encoded(png)), Some((1024, 768)));
    assert_eq!(size(&encoded(b"GIF89a\x40\x01\xf0\0\xf7")), Some((320, 240)));
    let lossy = b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x20\x03\x58\x02";
    assert_eq!(size(&encoded(lossy)), Some((800, 600)));
    let extended = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x1f\x03\0\x57\x02\0";
    assert_eq!(size(&encoded(extended)), Some((800, 600)));
    let lossless = b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\x1f\xc3\x95\0";
    assert_eq!(size(&encoded(lossless)), Some((800, 600)));
    let jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc4\0\x02\xff\xc0\0\x11\x08\x02\x58\x03\x20\x03";
    assert_eq!(size(&encoded(jpeg)), Some((800, 600)));
}

#[test]
fn what_is_cut_short_has_no_size() {
    for bytes in [&b"\x89PNG\r\n"[..], b"GIF8", b"\xff\xd8\xff", b"\xff\xd8\xff\xe0\0\0", b"RIFF1234WEBPVP8 "]
    {
        assert_eq!(size(&encoded(bytes)), None);
    }
}
