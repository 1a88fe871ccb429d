"""Tests of the package against a real command: PROVA names it."""

import os
import tempfile
import unittest
from pathlib import Path

import prova

RIGHT = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n" \
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 3 && x < 3) reach_error(); return 0; }\n"
WRONG = RIGHT.replace("x < 3", "x < 5")


class Checks(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, text):
        path = Path(self.folder.name) / "program.c"
        path.write_text(text)
        return path

    def test_a_proof(self):
        result = prova.check(self.file(RIGHT))
        self.assertIs(result.verdict, prova.Verdict.PROVED)
        self.assertTrue(result)
        self.assertTrue(result.certified)
        self.assertEqual(result.property, "unreach-call")

    def test_a_violation(self):
        result = prova.check([self.file(WRONG)], timeout=30)
        self.assertIs(result.verdict, prova.Verdict.VIOLATED)
        self.assertFalse(result)
        self.assertEqual(result.at.line, 2)
        self.assertEqual([i.value for i in result.inputs], ["4"])

    def test_what_cannot_be_used(self):
        with self.assertRaises(prova.ProvaError):
            prova.check(self.file("int main(void) { return }"))
        with self.assertRaises(prova.ProvaError):
            prova.check(self.file(RIGHT), command="/nowhere/prova")
        with self.assertRaises(prova.ProvaError):
            prova.check(self.file(RIGHT), property="no-such-property")


if __name__ == "__main__":
    unittest.main()
