/**
 * What code finds in its global scope, as a script. `call` and `log` are functions of the host; both take texts. The
 * script returns what the host needs later, so that code that replaces globals deceives only itself.
 */
export const PRELUDE = `((call, log) => {
  const { stringify, parse } = JSON
  class ToolError extends Error {
    constructor({ message, error_class, error_code }) {
      super(message)
      this.name = 'ToolError'
      this.error_class = error_class
      this.error_code = error_code
    }
  }
  const callTool = async (name, input = {}) => {
    if (typeof name !== 'string') throw new TypeError('callTool(name, input) takes the name of a tool.')
    const answer = parse(await call(name, stringify(input ?? {}) ?? '{}'))
    if (answer.error) throw new ToolError(answer.error)
    return answer.value
  }
  const toolsAt = (name) =>
    new Proxy(() => {}, {
      get: (_, key) =>
        typeof key === 'symbol' || key === 'then' ? undefined : toolsAt(name === '' ? key : name + '.' + key),
      apply: (_, self, [input]) => callTool(name, input),
    })
  const shown = (value) => {
    if (typeof value === 'string') return value
    if (value instanceof Error) return value.name + ': ' + value.message
    try {
      return stringify(value) ?? String(value)
    } catch {
      return String(value)
    }
  }
  const print = (...values) => log(values.map(shown).join(' '))
  Object.assign(globalThis, {
    ToolError,
    callTool,
    tools: toolsAt(''),
    console: { log: print, info: print, warn: print, error: print, debug: print },
  })
  return { toText: (value) => stringify(value) }
})`
