"""Stands in for GitHub's comments: GET lists, POST adds, PATCH replaces. Writes its port and its comments to files."""
import http.server
import json
import sys

comments = [{"url": "/repos/owner/name/issues/comments/90", "id": 90, "body": "a comment of a person"}]


class API(http.server.BaseHTTPRequestHandler):
    def answer(self, value):
        # Before the answer: who has that reads the file.
        with open(sys.argv[2], "w") as file:
            own = [json.dumps(comment["body"])[1:-1].replace('\\"', '"') for comment in comments[1:]]
            file.write(f"{len(own)} {' '.join(own)}\n")
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def body(self):
        if self.headers["Authorization"] != "Bearer secret":
            raise PermissionError
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]

    def do_GET(self):
        self.answer(comments if self.path.endswith("page=1") else [])

    def do_POST(self):
        number = 90 + len(comments)
        base = f"http://127.0.0.1:{server.server_port}"
        comments.append({"url": f"{base}{self.path.rsplit('/', 2)[0]}/comments/{number}", "id": number, "body": self.body()})
        self.answer(comments[-1])

    def do_PATCH(self):
        [comment] = [comment for comment in comments if comment["url"].endswith(self.path)]
        comment["body"] = self.body()
        self.answer(comment)

    def log_message(self, *arguments):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), API)
with open(sys.argv[1], "w") as file:
    file.write(str(server.server_port))
server.serve_forever()
