// Loads tools one by one in a conversation that other processes share, prints them, and dies without closing anything.
import { createCrib, defineTool, sqliteStore } from 'toolcrib'

const { path, names, loads } = JSON.parse(process.argv[2])
const crib = await createCrib({
  store: sqliteStore({ path }),
  tools: names.map((name) => defineTool({ name, description: `The tool ${name}.`, execute: () => name })),
})
const surface = await crib.surface({
  scope: 'session',
  session: 'shared',
  deferral: { budgetTokens: 1, always: ['base'] },
})
for (const name of loads) await surface.load([name])
console.log(JSON.stringify(surface.tools().map(({ toolId }) => toolId)))
process.kill(process.pid, 'SIGKILL')
