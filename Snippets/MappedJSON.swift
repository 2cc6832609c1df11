// Room:   Snippets. Models from the JSON of other programs.
// Takes:  nothing. Gives: a mapped model, in and out. Touches: nothing.
// snippet.show
import Amber
import Foundation

final class Article: JSONMapped {
    var title = ""
    var published: Date?
    var authorName: String?
    var image: URL?
    var tags: Set<String> = []
    var comments: [Comment] = []

    static var jsonMapping: JSONMapping {
        JSONMapping()
            .mapping("authorName", to: "author.name", or: "byline")
            .mapping("image", to: "media.0.url")
            .dates("published", as: .milliseconds)
            .lossy("comments")
    }
}

struct Comment: Model {
    var text: String
    var likes: Int
}

let answer = Data(
    """
    {"title": "Amber", "published": 1526380000123, "author": {"name": "Ada", "id": 7},
     "media": [{"url": "https://example.com/a.png"}], "tags": ["fossil"],
     "comments": [{"text": "Nice", "likes": 2}, {"text": null}]}
    """.utf8)

var decoder = MappedJSONDecoder()
decoder.naming = .snakeCase
let article = try decoder.decode(Article.self, from: answer)
try decoder.update(article, from: Data(#"{"title": "Amber, again"}"#.utf8))

var encoder = MappedJSONEncoder()
encoder.naming = .snakeCase
let request = try encoder.encode(article)
// snippet.hide
precondition(article.authorName == "Ada" && article.comments.count == 1 && !request.isEmpty)
