// Attributes samples of V8's profilers to the folders of src/ and to the phases of the pipeline. Time and memory of
// libraries and of Node itself count for the own code that called them.

const FOLDERS = /\/dist\/((?:edges\/[^/]+|[^/]+))\//
const PHASES = /\/dist\/pipeline\/([^/]+)\/[^/]+\.js$/

/** The phases in their order, and the folders of the pipeline that belong to each. */
export const phases = [
  'resolve-tool',
  'check-input',
  'hooks',
  'permission',
  'schedule',
  'execute',
  'map-result',
  'persist-result',
  'emit-terminal',
]

export const RECORD = 'the record'

const folderOf = (url) => FOLDERS.exec(url)?.[1]

/** Only phases count: the other folders of the pipeline serve several of them. Writing the record belongs to no phase. */
function phaseOf(url) {
  if (folderOf(url) === 'storage') return RECORD
  const found = PHASES.exec(url)?.[1]
  return phases.includes(found) ? found : undefined
}

/** Walks a tree of call frames: `own` is the weight of a node itself, `childrenOf` gives its children. */
export function attribute(root, { own, childrenOf }) {
  const byFolder = new Map()
  const byPhase = new Map()
  let total = 0
  const add = (map, key, value) => map.set(key, (map.get(key) ?? 0) + value)
  const stack = [{ node: root, folder: 'node', phase: 'outside the phases' }]
  while (stack.length > 0) {
    const { node, folder, phase } = stack.pop()
    const { url, functionName } = node.callFrame
    // The profiler itself.
    if (url.startsWith('node:inspector')) continue
    const here = {
      folder: functionName === '(garbage collector)' ? 'garbage collector' : (folderOf(url) ?? folder),
      phase: phaseOf(url) ?? phase,
    }
    const weight = functionName === '(idle)' || functionName === '(program)' ? 0 : own(node)
    if (weight > 0) {
      add(byFolder, here.folder, weight)
      add(byPhase, here.phase, weight)
      total += weight
    }
    for (const child of childrenOf(node)) stack.push({ node: child, ...here })
  }
  return { total, byFolder, byPhase }
}

/** A CPU profile in microseconds. */
export function attributeCpu({ nodes, samples, timeDeltas }) {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const took = new Map()
  samples.forEach((id, index) => took.set(id, (took.get(id) ?? 0) + timeDeltas[index]))
  return attribute(nodes[0], {
    own: ({ id }) => took.get(id) ?? 0,
    childrenOf: ({ children = [] }) => children.map((id) => byId.get(id)),
  })
}

/** An allocation profile in bytes. */
export function attributeMemory({ head }) {
  return attribute(head, {
    own: ({ selfSize }) => selfSize,
    childrenOf: ({ children = [] }) => children,
  })
}
