import Foundation
import TestSupport
import Testing

struct NotebookTests {
  private let notebook = repositoryRoot.appending(path: "notebooks-data/explore.ipynb").path

  @Test func everyCellRunsAndBothFiguresAreDrawn() throws {
    let script = """
      import os, pathlib, sys
      import nbclient, nbformat
      path, os.environ["RSSI_PROGRAM"] = sys.argv[1:]
      notebook = nbformat.read(path, as_version=4)
      folder = {"metadata": {"path": str(pathlib.Path(path).parent)}}
      nbclient.NotebookClient(notebook, timeout=600, resources=folder).execute()
      outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
      print(sum(output.output_type == "error" for output in outputs), "errors,",
            sum("image/png" in output.get("data", {}) for output in outputs), "figures")
      """
    let result = try runPython(script, [notebook, builtProgram])
    #expect(result.exitCode == 0, "\(result.error)")
    #expect(result.output == "0 errors, 2 figures\n")
  }

  @Test func isCommittedWithoutOutputs() throws {
    let script = """
      import sys, nbformat
      notebook = nbformat.read(sys.argv[1], as_version=4)
      nbformat.validate(notebook)
      print(sum(bool(cell.outputs) or cell.execution_count is not None
                for cell in notebook.cells if cell.cell_type == "code"))
      """
    let result = try runPython(script, [notebook])
    #expect(result.exitCode == 0, "\(result.error)")
    #expect(result.output == "0\n")
  }
}
