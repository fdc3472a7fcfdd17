export const quiet = { isReadOnly: true, isOpenWorld: false, isConcurrencySafe: true }
export const anyObject = { jsonSchema: { type: 'object' } }

export const objectOf = (properties, required = Object.keys(properties)) => ({
  jsonSchema: { type: 'object', properties, required, additionalProperties: false },
})
export const text = { type: 'string' }
export const number = { type: 'number' }

/** Says what it was told. */
export const echo = (lib) =>
  lib.defineTool({
    name: 'echo',
    description: 'Says what it was told.',
    ...quiet,
    input: objectOf({ text }),
    execute: ({ text }) => text,
  })

/** Writes, and needs no approval where the rules of a part allow it. */
export const note = (lib) =>
  lib.defineTool({
    name: 'note',
    description: 'Writes down what it was told.',
    isReadOnly: false,
    isDestructive: false,
    isOpenWorld: false,
    input: objectOf({ text }),
    execute: ({ text }) => `noted ${text.length} characters`,
  })

export const add = (lib, clock) =>
  lib.defineTool({
    namespace: 'math',
    name: 'add',
    aliases: ['plus'],
    title: 'Add numbers',
    description: 'Adds two numbers.',
    ...quiet,
    input: objectOf({ a: number, b: number }),
    output: objectOf({ sum: number }),
    execute: ({ a, b }) => {
      clock.pass(a)
      return { sum: a + b }
    },
  })

/** Resolves when it is opened. */
export function createGate() {
  let open
  const promise = new Promise((resolve) => (open = resolve))
  return { promise, open }
}
