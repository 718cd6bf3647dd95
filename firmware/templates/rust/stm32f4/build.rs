// Hands the linker the script beside this file.
fn main() {
    let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    println!("cargo:rustc-link-arg=-T{folder}/memory.x");
    println!("cargo:rerun-if-changed=memory.x");
}
