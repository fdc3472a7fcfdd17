import { text, TOOL, tool, type BrokenCase } from './make-cases.js'

/** The file and its YAML. */
export const fileCases: readonly BrokenCase[] = [
  text('an empty file', '', 'aml/missing-front-matter 1:1'),
  text('a file without front matter', '# Purpose\n', 'aml/missing-front-matter 1:1'),
  text('a blank line before the front matter', `\n${TOOL}`, 'aml/missing-front-matter 1:1'),
  text('front matter that is not closed', '---\ntool_id: a\n', 'aml/unclosed-front-matter 1:1'),
  text('front matter without fields', '---\n---\n', 'aml/front-matter-object 1:1'),
  text('front matter that is a list', '---\n- a\n---\n', 'aml/front-matter-object 1:1'),
  text('front matter that is a text', '---\nhello\n---\n', 'aml/front-matter-object 1:1'),
  text('a byte order mark', `\uFEFF${TOOL}`, 'aml/byte-order-mark 1:1'),
  text('Latin-1', Buffer.from(TOOL.replace('Search', 'Café'), 'latin1'), 'aml/encoding 7:12'),
  text('UTF-16', Buffer.from(`\uFEFF${TOOL}`, 'utf16le'), 'aml/encoding 1:1'),
  text('a file that is too large', TOOL + ' '.repeat(1_048_576), 'aml/file-too-large 1:1'),
  text(
    'front matter that is too large',
    TOOL.replace('Search', 'x'.repeat(131_072)),
    'aml/front-matter-too-large 1:1',
  ),
  tool('a control character', [['Search', 'Sea\u0007rch']], 'aml/control-character 7:12'),
  tool('a tab as indentation', [['  name: Search', '\tname: Search']], 'aml/yaml-tab 7:1'),
  tool('a key twice', [['  owner: platform', '  owner: platform\n  owner: other']], 'aml/duplicate-key 10:3'),
  tool(
    'a key twice at the top',
    [['type: retrieval\n', 'type: retrieval\nstatus: draft\n']],
    'aml/duplicate-key 11:1',
  ),
  tool('a quote that is not closed', [['name: Search', 'name: "Search']], 'aml/yaml-syntax 7:9'),
  tool(
    'a bracket that is not closed',
    [['use_when: [a question]', 'use_when: [a question']],
    'aml/yaml-syntax 29:3',
  ),
  tool('two colons on a line', [['name: Search', 'name: Search: all']], 'aml/yaml-syntax 7:9'),
  tool('a line without a colon', [['  owner: platform', '  owner platform']], 'aml/yaml-syntax 9:3'),
  tool('wrong indentation', [['  owner: platform', '   owner: platform']], 'aml/yaml-syntax 8:16'),
  tool(
    'two lines that are indented too far',
    [
      ['  description', '   description'],
      ['  owner', '   owner'],
    ],
    'aml/yaml-syntax 7:9',
  ),
  tool(
    'a block that is indented too little, with a line inside it',
    [
      ['    properties:\n      query', '   properties:\n      query'],
      ['    required', '   required'],
    ],
    'aml/yaml-syntax 14:1',
  ),
  tool(
    'wrong indentation in two blocks',
    [
      ['  owner', ' owner'],
      ['  side_effects', ' side_effects'],
    ],
    'aml/yaml-syntax 9:1',
    'aml/yaml-syntax 30:1',
  ),
  tool(
    'two lines with a tab',
    [
      ['  description', '\tdescription'],
      ['  owner', '\towner'],
    ],
    'aml/yaml-tab 8:1',
  ),
  tool('a template as a value', [['name: Search', 'name: {{ name }}']], 'aml/yaml-template 7:9'),
  tool(
    'a template in a list, and another one below',
    [
      ['owner: platform', 'owner: platform # {{ owner }}'],
      ['[a question]', '[{{ question }}]'],
      ['[small talk]', '{{ talk }}'],
    ],
    'aml/yaml-template 28:14',
  ),
  tool(
    'two templates in one value',
    [['https://kb.example.com', '{{ host }}/{{ version }}']],
    'aml/yaml-template 23:13',
  ),
  tool('an alias without anchor', [['name: Search', 'name: *other']], 'aml/yaml-alias 7:9'),
  tool(
    'an alias inside its anchor',
    [['query: { type: string }', 'query: &q { type: string, not: *q }']],
    'aml/yaml-alias 15:38',
  ),
  tool(
    'a merge key',
    [['query: { type: string }', 'query: { <<: { type: string } }']],
    'aml/merge-key 15:16',
  ),
  tool(
    'a key that is a list',
    [['  owner: platform', '  owner: platform\n  ? [a]\n  : b']],
    'aml/yaml-key 10:5',
  ),
  tool('a tag', [['name: Search', 'name: !secret Search']], 'aml/yaml-tag 7:9'),
  tool('a number that is not finite', [['status: active', 'status: .inf']], 'aml/yaml-number 5:9'),
  tool('many documents', [['type: retrieval', '...\ntype: retrieval']], 'aml/yaml-syntax 11:1'),
]
