import { tool, type BrokenCase } from './make-cases.js'

/** Fields of tools. */
export const toolCases: readonly BrokenCase[] = [
  tool(
    'two fields of meta that are not indented',
    [
      ['  description', 'description'],
      ['  owner', 'owner'],
    ],
    'aml/misplaced-field 8:1',
  ),
  tool(
    'a meta whose fields are not indented',
    [
      ['  name', 'name'],
      ['  description', 'description'],
      ['  owner', 'owner'],
    ],
    'aml/misplaced-field 7:1',
  ),
  tool(
    'fields of the transport and an output that are not indented',
    [
      ['  output:', 'output:'],
      ['  endpoint', 'endpoint'],
      ['  credentials', 'credentials'],
    ],
    'aml/misplaced-field 17:1',
    'aml/misplaced-field 24:1',
  ),
  tool('tags behind meta', [['  owner: platform', '  owner: platform\ntags: [a]']], 'aml/unknown-field 10:1'),
  tool('no spec_version', [['spec_version: "1.2"\n', '']], 'aml/missing-field 1:1'),
  tool('no tool_id', [['tool_id: search-kb\n', '']], 'aml/missing-field 1:1'),
  tool('no version', [['version: "1.0.0"\n', '']], 'aml/missing-field 1:1'),
  tool('no status', [['status: active\n', '']], 'aml/missing-field 1:1'),
  tool(
    'no meta',
    [
      [
        'meta:\n  name: Search\n  description: Finds articles. Use it for questions.\n  owner: platform\n',
        '',
      ],
    ],
    'aml/missing-field 1:1',
  ),
  tool('no meta.name', [['  name: Search\n', '']], 'aml/missing-field 6:1'),
  tool(
    'no meta.description',
    [['  description: Finds articles. Use it for questions.\n', '']],
    'aml/missing-field 6:1',
  ),
  tool('no meta.owner', [['  owner: platform\n', '']], 'aml/missing-field 6:1'),
  tool('no type', [['\ntype: retrieval', '']], 'aml/missing-field 1:1'),
  tool(
    'no interface.input',
    [
      [
        '  input:\n    type: object\n    properties:\n      query: { type: string }\n    required: [query]\n',
        '',
      ],
    ],
    'aml/missing-field 11:1',
  ),
  tool(
    'no interface.output',
    [['  output:\n    type: object\n    properties:\n      ok: { type: boolean }\n', '']],
    'aml/missing-field 11:1',
  ),
  tool(
    'no use_guidance',
    [['use_guidance:\n  use_when: [a question]\n  avoid_when: [small talk]\n  side_effects: None\n', '']],
    'aml/missing-field 1:1',
  ),
  tool('a field without a value', [['name: Search', 'name:']], 'aml/missing-value 7:3'),
  tool('an empty text', [['name: Search', 'name: " "']], 'aml/empty-text 7:9'),
  tool('a number as name', [['name: Search', 'name: 42']], 'aml/wrong-type 7:9'),
  tool(
    'meta that is a text',
    [
      [
        'meta:\n  name: Search\n  description: Finds articles. Use it for questions.\n  owner: platform\n',
        'meta: Search\n',
      ],
    ],
    'aml/wrong-type 6:1',
  ),
  tool(
    'tags that are a text',
    [['  owner: platform', '  owner: platform\n  tags: search']],
    'aml/wrong-type 10:9',
  ),
  tool(
    'a tag that is a number',
    [['  owner: platform', '  owner: platform\n  tags: [a, 1]']],
    'aml/wrong-type 10:13',
  ),
  tool(
    'a misspelled field',
    [['status: active', 'status: active\nuse_guidence: none']],
    'aml/unknown-field 6:1',
  ),
  tool(
    'a misspelled required field',
    [['  owner: platform', '  ownr: platform']],
    'aml/missing-field 6:1',
    'aml/unknown-field 9:3',
  ),
  tool(
    'an unknown field',
    [['status: active', 'status: active\ncompletely_other: 1']],
    'aml/unknown-field 6:1',
  ),
  tool('spec_version as a number', [['"1.2"', '1.2']], 'aml/unsupported-spec-version 2:15'),
  tool('another spec_version', [['"1.2"', '"1.1"']], 'aml/unsupported-spec-version 2:15'),
  tool('an upper-case tool_id', [['search-kb', 'Search-KB']], 'aml/invalid-tool-id 3:10'),
  tool('a short tool_id', [['search-kb', 'ab']], 'aml/invalid-tool-id 3:10'),
  tool('a tool_id with a dot', [['search-kb', 'search/kb!']], 'aml/invalid-tool-id 3:10'),
  tool('a tool_id that is not the name of the file', [['search-kb', 'search-other']], 'aml/file-name 3:10'),
  tool('a version of two numbers', [['"1.0.0"', '1.0']], 'aml/invalid-version 4:10'),
  tool('a version with a v', [['"1.0.0"', 'v1.0.0']], 'aml/invalid-version 4:10'),
  tool('a version with leading zeros', [['"1.0.0"', '"01.0.0"']], 'aml/invalid-version 4:10'),
  tool('a version that is a word', [['"1.0.0"', 'latest']], 'aml/invalid-version 4:10'),
  tool('an unknown status', [['status: active', 'status: retired']], 'aml/invalid-status 5:9'),
  tool('a misspelled status', [['status: active', 'status: Active']], 'aml/invalid-status 5:9'),
  tool('an unknown type', [['type: retrieval\n', 'type: rest-api\n']], 'aml/invalid-type 10:7'),
  tool(
    'a date that is none',
    [['  owner: platform', '  owner: platform\n  last_updated: "2025-02-30"']],
    'aml/invalid-date 10:17',
  ),
  tool(
    'deprecated without a date',
    [['status: active', 'status: deprecated']],
    'aml/deprecated-without-date 6:1',
  ),
  tool('no use_when', [['  use_when: [a question]\n', '']], 'aml/missing-guidance 27:1'),
  tool('an empty avoid_when', [['[small talk]', '[]']], 'aml/missing-guidance 29:3'),
  tool('use_when with an object', [['[a question]', '[{ a: b }]']], 'aml/wrong-type 28:14'),
  tool('side effects not said', [['  side_effects: None\n', '']], 'aml/unstated-side-effects 27:1'),
  tool(
    'an action without side effects',
    [
      ['type: retrieval\n', 'type: action\n'],
      ['  side_effects: None\n', ''],
    ],
    'aml/missing-side-effects 27:1',
  ),
  tool(
    'an action with side effects None',
    [['type: retrieval\n', 'type: action\n']],
    'aml/side-effects-none 30:17',
  ),
  tool(
    'error_codes that are a list',
    [['transport:', 'error_codes: [400]\ntransport:']],
    'aml/wrong-type 21:1',
  ),
  tool(
    'an error code with a text',
    [['transport:', 'error_codes:\n  400: Bad request\ntransport:']],
    'aml/invalid-error-code 22:3',
  ),
  tool(
    'an error code without meaning',
    [['transport:', 'error_codes:\n  400: {}\ntransport:']],
    'aml/invalid-error-code 22:3',
  ),
  tool(
    'an error code that is no status',
    [['transport:', 'error_codes:\n  700: { meaning: Odd }\ntransport:']],
    'aml/unlikely-status 22:3',
  ),
  tool(
    'an error code with a number as meaning',
    [['transport:', 'error_codes:\n  400: { meaning: 7 }\ntransport:']],
    'aml/invalid-error-code 22:19',
  ),
]
