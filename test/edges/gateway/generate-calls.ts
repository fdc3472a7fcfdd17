import { join } from 'node:path'

export interface GeneratedCall {
  server: 'everything' | 'files' | 'memory' | 'thinking' | 'reference'
  tool: string
  input: Record<string, unknown>
}

/** Small numbers from a seed, the same in every run. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return ((state ^ (state >>> 13)) >>> 0) % below
  }
}

const WORDS = [
  'plain',
  'naïve café',
  '日本語',
  '👩‍👩‍👧',
  'a\nb\tc',
  '"quoted" \\ back',
  '\u202eright to left',
  '',
  ' ',
  '0',
]

type Make = (random: (below: number) => number, folder: string, index: number) => GeneratedCall

const oneOf = <Value>(random: (below: number) => number, values: readonly Value[]): Value =>
  values[random(values.length)]!

const everything = (tool: string, input: Record<string, unknown>): GeneratedCall => ({
  server: 'everything',
  tool,
  input,
})

const ways: readonly Make[] = [
  (random) => everything('echo', { message: `${oneOf(random, WORDS)}${oneOf(random, WORDS)}` }),
  (random) => everything('echo', { message: oneOf(random, WORDS).repeat(1 + random(800)) }),
  (random) => everything('get-sum', { a: random(1_000_000) / 7, b: -random(1000) }),
  () => everything('get-tiny-image', {}),
  (random) =>
    everything('get-annotated-message', {
      messageType: oneOf(random, ['error', 'success', 'debug']),
      includeImage: random(2) === 0,
    }),
  (random) => everything('get-resource-links', { count: 1 + random(10) }),
  (random) =>
    everything('get-resource-reference', {
      resourceType: oneOf(random, ['Text', 'Blob']),
      resourceId: 1 + random(9),
    }),
  (random) =>
    everything('get-structured-content', { location: oneOf(random, ['New York', 'Chicago', 'Los Angeles']) }),
  (random, folder) => ({
    server: 'files',
    tool: 'read_text_file',
    input: { path: join(folder, oneOf(random, ['a.txt', 'b.txt', 'missing.txt'])) },
  }),
  (random, folder, index) => ({
    server: 'files',
    tool: 'write_file',
    input: { path: join(folder, `${random(5)}.txt`), content: `${index} ${oneOf(random, WORDS)}` },
  }),
  (random, folder) => ({
    server: 'files',
    tool: oneOf(random, ['list_directory', 'directory_tree']),
    input: { path: folder },
  }),
  (random, folder) => ({
    server: 'files',
    tool: 'edit_file',
    input: { path: join(folder, `${random(5)}.txt`), edits: [{ oldText: '1', newText: '2' }] },
  }),
  () => ({ server: 'files', tool: 'read_text_file', input: { path: '/etc/hostname' } }),
  (random, _, index) => ({
    server: 'memory',
    tool: 'create_entities',
    input: {
      entities: [
        { name: `e${random(30)}`, entityType: 'thing', observations: [`${index} ${oneOf(random, WORDS)}`] },
      ],
    },
  }),
  (random) => ({
    server: 'memory',
    tool: 'create_relations',
    input: { relations: [{ from: `e${random(30)}`, to: `e${random(30)}`, relationType: 'knows' }] },
  }),
  (random) => ({
    server: 'memory',
    tool: oneOf(random, ['read_graph', 'search_nodes', 'open_nodes']),
    input: { query: `e${random(9)}`, names: [`e${random(30)}`] },
  }),
  (random) => ({ server: 'memory', tool: 'delete_entities', input: { entityNames: [`e${random(30)}`] } }),
  (random, _, index) => ({
    server: 'thinking',
    tool: 'sequentialthinking',
    input: {
      thought: `${oneOf(random, WORDS)} ${index}`,
      nextThoughtNeeded: random(2) === 0,
      thoughtNumber: 1 + random(5),
      totalThoughts: 1 + random(5),
    },
  }),
  (random) => ({
    server: 'reference',
    tool: oneOf(random, [
      'test_simple_text',
      'test_image_content',
      'test_audio_content',
      'test_embedded_resource',
      'test_multiple_content_types',
      'test_error_handling',
      'test_tool_with_progress',
    ]),
    input: {},
  }),
  (random) => ({
    server: 'reference',
    tool: 'json_schema_2020_12_tool',
    input: oneOf(random, [
      { contactMethod: 'phone', phone: '1' },
      { email: 'a@b' },
      { name: 'x', email: 'y' },
    ]),
  }),
]

/**
 * Calls that fit the schemas of their tools, for what does not is refused before it reaches a server. They are for a copy  of the
 * fixture whose files lie in `folder`; apart from that, a seed gives the same calls.
 */
export function generateCalls(
  count: number,
  { seed, folder }: { seed: number; folder: string },
): GeneratedCall[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, (_, index) => oneOf(random, ways)(random, folder, index))
}
