class Carryless < Formula
  desc "Tag and verify files, and compute with polynomials and finite fields"
  homepage "@REPOSITORY@"
  version "@VERSION@"
  license any_of: ["Apache-2.0", "MIT"]

  on_macos do
    on_arm do
      url "@REPOSITORY@/releases/download/v@VERSION@/carryless-@VERSION@-macos-aarch64.tar.gz"
      sha256 "@SHA256 carryless-@VERSION@-macos-aarch64.tar.gz@"
    end
    on_intel do
      url "@REPOSITORY@/releases/download/v@VERSION@/carryless-@VERSION@-macos-x86_64.tar.gz"
      sha256 "@SHA256 carryless-@VERSION@-macos-x86_64.tar.gz@"
    end
  end

  on_linux do
    on_intel do
      url "@REPOSITORY@/releases/download/v@VERSION@/carryless-@VERSION@-linux-x86_64.tar.gz"
      sha256 "@SHA256 carryless-@VERSION@-linux-x86_64.tar.gz@"
    end
    on_arm do
      url "@REPOSITORY@/releases/download/v@VERSION@/carryless-@VERSION@-linux-aarch64.tar.gz"
      sha256 "@SHA256 carryless-@VERSION@-linux-aarch64.tar.gz@"
    end
  end

  def install
    bin.install "bin/carryless"
    man1.install Dir["share/man/man1/*"]
    bash_completion.install "share/completions/carryless.bash" => "carryless"
    fish_completion.install "share/completions/carryless.fish"
    zsh_completion.install "share/completions/_carryless"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/carryless --version")
  end
end
