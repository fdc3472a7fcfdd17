import { describe, expect, it } from 'vitest'
import { htmlToMarkdown } from '../../../../src/sources/builtins/fetch/html-to-markdown.js'

const url = new URL('https://site.example/docs/page')

function read(html: string, format: 'markdown' | 'text' = 'markdown', pieceChars = html.length || 1): string {
  const reader = htmlToMarkdown({ url, format })
  let text = ''
  for (let at = 0; at < html.length; at += pieceChars) text += reader.write(html.slice(at, at + pieceChars))
  return text + reader.end()
}

const PAGE = `<!doctype html><html><head><title>A &amp; B</title><script>alert(1)</script></head><body>
<h1>Hello <b>World</b></h1><p>Some <strong>bold </strong>text with <a href="/x?a=1"> a link </a>and <code>co\`de</code>.</p>
<ul><li>One<li>Two <ul><li>Inner</li></ul><li><p>Three</p><p>more</p></ul><ol start=3><li>three<li>four</ol>
<pre><code>function a() {
  return 1
}
</code></pre><blockquote><p>Quote</p><p>second</p></blockquote>
<table><thead><tr><th>A<th>B</thead><tr><td>1<td>2 | 3</table>
<a href="https://e.example/"><h3>Card</h3><p>text</p></a> <a href="javascript:alert(1)">script</a>
<img src=a.png alt="A picture"> Line<br>break<hr>end`

describe('HTML as Markdown', () => {
  it('keeps headings, lists, links, code, quotes and tables', () => {
    expect(read(PAGE)).toBe(`# Hello World

Some **bold** text with [a link](https://site.example/x?a=1) and \`\` co\`de \`\`.

- One
- Two
  - Inner

- Three

  more

3. three
4. four

\`\`\`
function a() {
  return 1
}
\`\`\`

> Quote
>
> second

| A | B |
| --- | --- |
| 1 | 2 \\| 3 |

[Card text](https://e.example/) script ![A picture](https://site.example/docs/a.png) Line
break

---

end`)
  })

  it('is the same for every division of the page into chunks', () => {
    for (const size of [1, 2, 7, 64]) expect(read(PAGE, 'markdown', size)).toBe(read(PAGE))
  })

  it('gives the words alone as text', () => {
    expect(
      read('<h2>Head</h2><p>A <b>bold</b> <a href="/x">link</a></p><table><tr><td>1<td>2</table>', 'text'),
    ).toBe('Head\n\nA bold link\n\n1\t2')
  })

  it('writes the cells of a table that only lays out a page one below the other', () => {
    expect(
      read('<table><tr><td>side</td><td><h2>Head</h2><ul><li>a</ul></td><td>end</td></tr></table>'),
    ).toBe('side\n\n## Head\n\n- a\n\nend')
  })

  it.each([
    ['an attribute', '<p hidden>secret</p>'],
    ['display', '<p style="display : none">secret</p>'],
    ['an escaped style', String.raw`<p style="dis\70lay:/**/none">secret</p>`],
    ['visibility', '<p style="color:red;visibility:hidden">secret</p>'],
    ['opacity', '<p style="opacity:0.0">secret</p>'],
    ['no size', '<p style="font-size:0px">secret</p>'],
    ['no colour', '<p style="color: transparent">secret</p>'],
    ['a place off the page', '<p style="position:absolute;left:-9999px">secret</p>'],
    ['a clip', '<p style="clip: rect(0, 0, 0, 0)">secret</p>'],
    ['a box without size', '<p style="overflow:hidden;height:0px">secret</p>'],
    ['aria', '<p aria-hidden=true>secret</p>'],
    ['a parent', '<div hidden><p>one<p>secret</div>'],
    ['a comment', '<!-- secret -->'],
    ['a script', '<script>"secret"</script><style>.secret{}</style><template>secret</template>'],
    ['a closed dialog', '<dialog>secret</dialog>'],
    ['a picture', '<svg><text>secret</text></svg>'],
    ['the head', '<head><meta name=x content=secret><noscript>secret</noscript></head>'],
  ])('leaves out text that is hidden by %s', (_, html) => {
    expect(read(`<p>before</p>${html}<p>after</p>`)).toBe('before\n\nafter')
  })

  it('removes invisible characters', () => {
    expect(read('<p>a\u200Bb\u{E0041}c\u202Ed&#8203;e</p>')).toBe('abcde')
  })

  it('keeps what is only pale', () => {
    expect(read('<p style="opacity:0.5;font-size:0.8em;height:10px;overflow:hidden">shown</p>')).toBe('shown')
  })

  it('stops at elements that are nested without end', () => {
    const reader = htmlToMarkdown({ url, format: 'markdown' })
    const text = reader.write(`<p>start</p>${'<div>'.repeat(200_000)}deep`) + reader.end()
    expect([text, reader.isCut]).toEqual(['start', true])
  })
})
