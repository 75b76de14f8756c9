//! Prepares the configuration, the permissions and the icons for `generate_context!`.

fn main() -> std::io::Result<()> {
    // A fresh checkout has no built pages yet; without them the program builds and shows an empty window.
    std::fs::create_dir_all("../ui/dist")?;
    println!("cargo:rerun-if-changed=../ui/dist");
    tauri_build::build();
    Ok(())
}
