# The tool-info module of Prova for BenchExec: how it is called for a task, and what its output means.
# Put the folder above this one into PYTHONPATH; a benchmark definition names the tool
# `prova_benchexec.tool` (prova.xml).

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import get_data_model_from_task, ILP32, LP64


class Tool(benchexec.tools.template.BaseTool2):
    """Prova: a test that fails, or a proof that none can, for C programs."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("prova")

    def name(self):
        return "Prova"

    def project_url(self):
        return "https://github.com/prova-verifier/prova"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="prova ")

    def cmdline(self, executable, options, task, rlimits):
        words = [executable, "check", "--format", "svcomp", "--no-config"]
        bits = get_data_model_from_task(task, {ILP32: "32", LP64: "64"})
        if bits and "--bits" not in options:
            words += ["--bits", bits]
        if rlimits.cputime and "--timeout" not in options:
            # It says what it knows before it is killed.
            words += ["--timeout", str(max(1, int(rlimits.cputime * 0.95)))]
        if rlimits.memory and "--memory" not in options:
            words += ["--memory", str(int(rlimits.memory * 0.9 / 1e6))]
        if task.property_file:
            words += ["--property", task.property_file]
        return words + options + list(task.input_files_or_identifier)

    def determine_result(self, run):
        for line in reversed(run.output):
            line = line.strip()
            if line == "TRUE":
                return result.RESULT_TRUE_PROP
            if line.startswith("FALSE("):
                return f"{result.RESULT_FALSE_PROP}({line[len('FALSE('):-1]})"
            if line.startswith("UNKNOWN("):
                reason = line[len("UNKNOWN("):-1]
                if reason == "timeout":
                    return result.RESULT_TIMEOUT
                return f"{result.RESULT_UNKNOWN}({reason})"
        if run.exit_code.value == 2:
            return f"{result.RESULT_ERROR}(input)"
        return result.RESULT_ERROR

    def get_value_from_output(self, output, identifier):
        # "12 iterations, 3 tests, 4 regions, 5 splits, 0.12 s (0.10 s solving)"
        for line in output:
            for part in line.strip().split(", "):
                words = part.split(" ")
                if len(words) == 2 and words[1] == identifier:
                    return words[0]
        return None
