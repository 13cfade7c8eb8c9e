#!/usr/bin/env python3
"""`pliant view` from outside: what it gives, and what it refuses.

    tests/apps/view_test.py PROGRAM

Needs no built page: it brings a small one of its own.
"""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else "build/release/bin/pliant"
SCENE = '{ "about": "a mesh", "rigids": [{ "name": "tool", "shape": { "kind": "mesh", "file": "tool.ply" } }] }\n'


class View(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        page = self.root / "web" / "page"
        (page / "assets").mkdir(parents=True)
        (page / "index.html").write_text("<p>the page</p>")
        (page / "assets" / "a.js").write_text("1;")
        (self.root / "secret").write_text("not to be seen")
        (self.root / "tool.ply").write_text("ply of a tool")
        self.scene = self.root / "scene.json"
        self.scene.write_text(SCENE)
        self.process = None

    def tearDown(self):
        if self.process:
            self.process.send_signal(signal.SIGINT)
            self.assertEqual(self.process.wait(10), 0)
            self.process.stdout.close()
        self.folder.cleanup()

    def start(self, *arguments):
        environment = {**os.environ, "PLIANT_WEB": str(self.root / "web")}
        self.process = subprocess.Popen([PROGRAM, "view", "--no-browser", *map(str, arguments)], env=environment,
                                        stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()
        address = self.process.stdout.readline().strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/(?:#view|session/page\?token)=([0-9a-f]{32})", address)
        self.assertIsNotNone(found, address)
        self.port, self.token = int(found[1]), found[2]

    def send(self, data):
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            try:
                connection.sendall(data)
                answer = b""
                while part := connection.recv(65536):
                    answer += part
            except ConnectionError:  # it may close before it has read all of a request that is too long
                pass
        head, _, body = answer.partition(b"\r\n\r\n")
        return (int(head.split()[1]) if head else 0), head.decode(), body

    def ask(self, path, method="GET", token=None, host=None, origin=None, body=b"", more=""):
        head = f"{method} {path} HTTP/1.1\r\nHost: {host or f'127.0.0.1:{self.port}'}\r\n"
        if origin:
            head += f"Origin: {origin}\r\n"
        if token:
            head += f"X-Pliant-Token: {token}\r\n"
        if body:
            head += f"Content-Length: {len(body)}\r\n"
        return self.send((head + more + "\r\n").encode() + body)

    def test_gives_its_own_files_and_the_scene(self):
        self.start(self.scene)
        status, head, body = self.ask("/")
        self.assertEqual((status, body), (200, b"<p>the page</p>"))
        self.assertIn("Content-Security-Policy: default-src 'self'", head)
        self.assertIn("text/javascript", self.ask("/assets/a.js")[1])
        self.assertEqual(self.ask("/", "HEAD")[2], b"")
        info = json.loads(self.ask("/session/info", token=self.token)[2])
        self.assertEqual((info["kind"], info["name"], info["files"]), ("scene", "scene", ["tool.ply"]))
        self.assertEqual(self.ask("/session/text", token=self.token)[2].decode(), SCENE)
        self.assertEqual(self.ask("/session/files/0", token=self.token)[2], b"ply of a tool")
        self.assertEqual(self.ask("/session/files/1", token=self.token)[0], 404)

    def test_tells_that_the_scene_has_changed(self):
        self.start(self.scene)
        version = json.loads(self.ask("/session/info", token=self.token)[2])["version"]
        self.scene.write_text(SCENE.replace("mesh", "body", 1))
        self.assertNotEqual(json.loads(self.ask("/session/info", token=self.token)[2])["version"], version)

    def test_writes_the_scene_only_for_the_token(self):
        self.start(self.scene)
        for token in (None, "", "0" * 32, self.token[:-1], self.token + "0"):
            self.assertEqual(self.ask("/session/text", "PUT", token=token, body=b"x")[0], 403)
            self.assertEqual(self.ask("/session/text", token=token)[0], 403)
        self.assertEqual(self.scene.read_text(), SCENE)
        status = self.ask("/session/text", "PUT", token=self.token, origin=f"http://127.0.0.1:{self.port}", body=b"{}")[0]
        self.assertEqual((status, self.scene.read_text()), (204, "{}"))

    def test_refuses_other_folders(self):
        self.start(self.scene)
        secret = str(self.root / "secret")
        paths = ["/../secret", "/assets/../../../secret", "/..", "/%2e%2e/secret", "/..%2fsecret", "/..\\secret", "//" + secret,
                 secret, "/secret", "/session/files/../secret", "/session/../../secret", "/assets", "/assets/", "/.", "/index.html/"]
        for path in paths:
            for token in (None, self.token):
                status, _, body = self.ask(path, token=token)
                self.assertIn(status, (400, 403, 404), path)
                self.assertNotIn(b"not to be seen", body)
        self.assertEqual(self.ask("http://127.0.0.1/")[0], 400)
        self.assertEqual(self.ask("file:///etc/passwd")[0], 400)

    def test_refuses_what_comes_from_elsewhere(self):
        self.start(self.scene)
        for host in ("example.org", f"example.org:{self.port}", "127.0.0.1", "127.0.0.1:1", f"127.0.0.1.example.org:{self.port}"):
            self.assertEqual(self.ask("/", host=host)[0], 403, host)
        for origin in ("http://example.org", "null", "https://127.0.0.1:%d" % self.port, "http://127.0.0.1:1"):
            self.assertEqual(self.ask("/session/text", token=self.token, origin=origin)[0], 403, origin)
            self.assertEqual(self.ask("/session/text", "PUT", token=self.token, origin=origin, body=b"x")[0], 403, origin)
        self.assertEqual(self.send(b"GET / HTTP/1.1\r\n\r\n")[0], 403)
        self.assertEqual(self.scene.read_text(), SCENE)

    def test_refuses_what_is_malformed_or_too_long(self):
        self.start(self.scene)
        host = f"Host: 127.0.0.1:{self.port}\r\n".encode()
        self.assertEqual(self.ask("/", more="X: " + "a" * 20000 + "\r\n")[0], 431)
        self.assertEqual(self.send(b"GET /" + b"a" * 40000)[0], 431)
        self.assertEqual(self.ask("/session/text", "PUT", token=self.token, more="Content-Length: 99999999999\r\n")[0], 413)
        for data in (b"\r\n\r\n", b"GET /\r\n\r\n", b"GET / HTTP/2\r\n" + host + b"\r\n", b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
                     b"GET / HTTP/1.1\r\n" + host + host + b"\r\n", b"GET / HTTP/1.1\r\n" + host + b"Content-Length: -1\r\n\r\n",
                     b"PUT /session/text HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", b"GET /\0 HTTP/1.1\r\n" + host + b"\r\n"):
            self.assertEqual(self.send(data)[0], 400, data)
        for method in ("POST", "DELETE", "OPTIONS", "CONNECT"):
            self.assertEqual(self.ask("/", method)[0], 405)
        self.assertEqual(self.ask("/")[0], 200)  # and goes on

    def test_listens_on_loopback_only(self):
        self.start(self.scene)
        lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        mine = [fields[1] for fields in lines if fields[3] == "0A" and int(fields[1].split(":")[1], 16) == self.port]
        self.assertEqual(mine, [f"0100007F:{self.port:04X}"])

    def test_shows_a_recorded_page_only_with_its_token(self):
        page = self.root / "result.html"
        page.write_text("<p>a result</p>")
        self.start(page)
        self.assertEqual(self.ask(f"/session/page?token={self.token}")[2], b"<p>a result</p>")
        self.assertEqual(self.ask("/session/page?token=" + "0" * 32)[0], 403)
        self.assertEqual(self.ask("/session/page")[0], 403)

    def test_says_what_is_missing(self):
        def run(*arguments, web):
            return subprocess.run([PROGRAM, "view", "--no-browser", *arguments], env={**os.environ, "PLIANT_WEB": str(web)},
                                  capture_output=True, text=True, timeout=60)

        none = run("bunny_drop", web=self.root / "nowhere")
        self.assertEqual(none.returncode, 5)
        self.assertIn("make page", none.stderr)
        unknown = run("bunny_dorp", web=self.root / "web")
        self.assertEqual(unknown.returncode, 5)
        self.assertIn("bunny_dorp", unknown.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
