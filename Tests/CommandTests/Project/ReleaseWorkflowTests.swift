import Foundation
import TestSupport
import Testing

/// The workflow that publishes a release, which runs on the host of the repository only.
@Suite("The release workflow") struct ReleaseWorkflowTests {
  /// Runs a script in Python for which `jobs` are the jobs of the workflow and `steps` all steps.
  private func judge(_ script: String, _ arguments: [String] = []) throws -> ProgramResult {
    try runPython(
      """
      import fnmatch, os, re, subprocess, sys, yaml
      os.chdir(sys.argv[1])
      text = open(".github/workflows/release.yml").read()
      workflow = yaml.safe_load(text)
      jobs = workflow["jobs"]
      steps = [step for job in jobs.values() for step in job["steps"]]
      runs = [re.sub(r"\\$\\{\\{.*?\\}\\}", "x", step["run"]) for step in steps if "run" in step]

      """ + script, [repositoryRoot.path] + arguments)
  }

  @Test func `grants each job what it needs, and pins its actions`() throws {
    let result = try judge(
      """
      assert workflow["permissions"] == {}
      writing = {name for name, job in jobs.items() if "write" in job["permissions"].values()}
      assert writing == {"publish"}, writing
      assert all(job["timeout-minutes"] for job in jobs.values())
      assert set(re.findall(r"secrets\\.(\\w+)", text)) == {"GITHUB_TOKEN"}
      for step in steps:
          assert re.fullmatch(r"actions/[\\w-]+@v\\d+\\.\\d+\\.\\d+", step.get("uses", "actions/x@v1.0.0")), step
      """)
    #expect(result.exitCode == 0, "\(result.error)")
  }

  @Test func `calls scripts that exist, in shell that parses`() throws {
    let result = try judge(
      """
      scripts = {name for run in runs for name in re.findall(r"(?<![\\w./])(?:scripts|\\.ci)/[\\w/.-]+", run)}
      assert {"scripts/test", "scripts/package", "scripts/image", "scripts/sbom"} <= scripts, scripts
      missing = [name for name in scripts if not os.access(name, os.R_OK if name.endswith(".txt") else os.X_OK)]
      assert not missing, missing
      for run in runs:
          assert subprocess.run(["bash", "-n"], input=run, text=True).returncode == 0, run
      """)
    #expect(result.exitCode == 0, "\(result.error)")
  }

  @Test func `publishes the files that the documentation names`() throws {
    let version = try #require(try rssi("--version").output.split { $0 == " " || $0 == "\n" }.first)
    let result = try judge(
      """
      from pathlib import Path
      version = sys.argv[2]
      machines = jobs["packages"]["strategy"]["matrix"]["include"]
      files = {f"rssi_trace-{version}-py3-none-any.whl", f"rssi_trace-{version}.tar.gz", "SHA256SUMS"}
      for machine in machines:
          files.add(f"rssi_{version}-1_{machine['debian']}.deb")
          for kind in ["tar.gz", "oci.tar", "cdx.json"]:
              files.add(f"rssi-{version}-linux-{machine['machine']}.{kind}")
      assert {(m["debian"], m["machine"]) for m in machines} == {("amd64", "x86_64"), ("arm64", "aarch64")}
      globs = [os.path.basename(line) for step in steps if "upload-artifact" in step.get("uses", "")
               for line in step["with"]["path"].split()]
      kept = {file for file in files for glob in globs if fnmatch.fnmatch(file, glob)}
      assert kept == files - {"SHA256SUMS"}, files - kept
      name = r"(?<![\\w-])rssi[_-][\\w.*+-]+\\.(?:deb|tar\\.gz|oci\\.tar|whl|cdx\\.json)"
      pages = [Path("README.md"), *Path("docs").rglob("*.md"), *Path("python").glob("*.md")]
      named = {(page, file) for page in pages for file in re.findall(name, page.read_text())}
      assert named
      wrong = [(str(page), file) for page, file in named if not any(fnmatch.fnmatch(one, file) for one in files)]
      assert not wrong, wrong
      """, [String(version)])
    #expect(result.exitCode == 0, "\(result.error)")
  }

  /// The judges are the loader, which names the libraries, and dpkg, which knows whose they are.
  @Test func `lists the packages that the program consists of`() throws {
    let script = repositoryRoot.appending(path: "scripts/sbom").path
    let printed = try runProgram(script, [builtProgram])
    try #require(printed.exitCode == 0, "\(printed.error)")
    let folder = try TemporaryDirectory()
    let document = try folder.write(printed.output, to: "sbom.json")
    let result = try judge(
      """
      import json
      document = json.load(open(sys.argv[2]))
      assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.6")
      found = {one["name"]: one["version"] for one in document["components"]}
      assert len(found) == len(document["components"])
      for pin in json.load(open("Package.resolved"))["pins"]:
          assert found[pin["identity"]] == pin["state"]["version"]
      for library in ["libhdf5-dev", "libgsl-dev", "libnats-dev", "libtomlplusplus-dev", "libc6"]:
          name, version = subprocess.run(
              ["dpkg-query", "-W", "-f", "${source:Package} ${source:Version}", library],
              capture_output=True, text=True, check=True).stdout.split()
          assert found[name] == version, (name, version)
      needed = re.findall(r"NEEDED.*\\[(lib(?:pcap|curl|mosquitto|archive))\\.so", subprocess.run(
          ["readelf", "-d", sys.argv[3]], capture_output=True, text=True, check=True).stdout)
      assert all(name in found or name.removeprefix("lib") in found for name in needed), needed
      """, [document, builtProgram])
    #expect(result.exitCode == 0, "\(result.error)")
  }
}
