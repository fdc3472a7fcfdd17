import { createCrib, memoryStore } from '../../dist/index.js'
import { fromToolCall, toolList, toolResultFor } from '../../dist/formats.js'
import { createPrompt } from './prompt.mjs'

const SYSTEM =
  'You work for a small company. Do what is asked with the tools that you have, one step after the other, and say in the end what you did.'
const FORMAT = 'anthropic'
const ANSWER = 'All steps are done. The entries are as they were asked for, and nothing else was changed.'

/** The cost of a conversation in which every step of a task needs one tool of a catalog. */
export async function runTask({ drafts, steps, deferral }) {
  const crib = await createCrib({ tools: drafts, store: memoryStore() })
  try {
    const surface = await crib.surface({ scope: 'session', ...(deferral && { deferral }) })
    const prompt = createPrompt(SYSTEM)
    prompt.hear({ role: 'user', content: steps.map(({ wish }) => wish).join(' Then ') })
    const agent = { crib, surface, prompt, isPair: deferral?.way === 'pair', calls: 0 }
    let searches = 0
    for (const step of steps) {
      if (deferral) searches += await findTool(agent, step)
      await callTool(agent, step)
    }
    takeTurn(agent, [{ type: 'text', text: ANSWER }])
    return { ...prompt.bill(), searches }
  } finally {
    await crib.close()
  }
}

/** In other words first, as a user asks who has not seen the tool; if that does not find it, in the tool's words. */
async function findTool(agent, { toolId, queries }) {
  for (const [index, query] of queries.entries()) {
    const result = await useTool(agent, { name: 'tool__search', input: { query } })
    if (result.structured_content?.matches.includes(toolId)) return index + 1
  }
  throw new Error(`The search does not find ${toolId} by "${queries.join('" or "')}".`)
}

async function callTool(agent, { draft, providerName, input }) {
  const call = agent.isPair
    ? { name: 'tool__call', input: { name: providerName, arguments: input } }
    : { name: providerName, input }
  const result = await useTool(agent, call)
  if (result.status !== 'succeeded') throw new Error(`${draft.name} did not succeed: ${result.status}`)
}

async function useTool(agent, call) {
  const block = { type: 'tool_use', id: `call_${++agent.calls}`, ...call }
  const listed = takeTurn(agent, [block])
  const result = await agent.crib.call(agent.surface, fromToolCall(FORMAT, block))
  const answer = toolResultFor(FORMAT, result)
  agent.prompt.hear({ role: 'user', content: [{ ...answer, content: inPrompt(answer.content, listed) }] })
  return result
}

/** The provider reads the list and the whole conversation, and the model adds one message. */
function takeTurn({ surface, prompt }, content) {
  const listed = toolList(surface, FORMAT)
  prompt.send(listed.filter(({ defer_loading }) => !defer_loading))
  prompt.say({ role: 'assistant', content })
  return listed
}

/** Where a result refers to a tool, the provider inserts the tool. */
function inPrompt(content, listed) {
  return content.map((block) =>
    block.type === 'tool_reference' ? listed.find(({ name }) => name === block.tool_name) : block,
  )
}
