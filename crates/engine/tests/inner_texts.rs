//! Texts inside a text are read from their tokens, and their symbols are those of a parse.

use locant_engine::{Document, Outline};

const PAGE: &str = r#"<!DOCTYPE html>
<html>
  <body id="top">
    <script>
      // Adds one.
      function add(one) { return one + 1; }
      class Cart { total() { return 0; } }
    </script>
    <script type="module">export const sum = (a, b) => a + b;</script>
    <script lang="ts">interface Shape { area(): number }</script>
    <style>
      .cart { color: red }
    </style>
    <script>function broken( { </script>
    <script id="data" type="application/json">{"key": 1}</script>
  </body>
</html>
"#;

const NOTES: &str = r#"# Notes

```python
def add(one):
    return one + 1
```

1. A list

   ```python
   class Cart:
       def total(self):
           return 0
   ```

> ```go
> func Area(side int) int {
> 	return side * side
> }
> ```

```js
const sum = (a, b) => a + b;
```

```rust
fn broken( {
```
"#;

fn document(path: &str, text: &str) -> Document {
    Document::new(path, text).expect("it is a text")
}

fn parsed(path: &str, text: &str) -> Outline {
    let document = document(path, text);
    document.parse();
    document.outline().expect("the language is read").clone()
}

#[test]
fn inner_texts_have_the_symbols_of_a_parse() {
    for (path, text) in [("a.html", PAGE), ("a.md", NOTES)] {
        let expected = parsed(path, text);
        assert!(expected.symbols().len() > 2, "{path} has symbols");
        assert_eq!(document(path, text).outline(), Some(&expected), "{path}");
        for (at, _) in text.match_indices('\n') {
            let cut = &text[..at];
            assert_eq!(document(path, cut).outline(), Some(&parsed(path, cut)), "{path}:\n{cut}");
        }
    }
}

#[test]
fn a_skimmed_page_has_the_same_symbols_if_it_is_sound() {
    let sound: String =
        PAGE.lines().filter(|line| !line.contains("broken")).map(|line| format!("{line}\n")).collect();
    let skimmed = document("a.html", &sound).skimmed();
    assert_eq!(skimmed.outline(), Some(&parsed("a.html", &sound)));
}
