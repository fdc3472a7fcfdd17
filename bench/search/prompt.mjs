import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'

const known = new Map()
/** Tokens of a text, counted once. */
export function tokensOf(text) {
  let count = known.get(text)
  if (count === undefined) known.set(text, (count = countTokens(text)))
  return count
}

/**
 * What a provider bills for a conversation: each turn sends everything again. The prefix that equals that of the turn
 * before counts as cached: tools, then the system prompt, then the messages, in the providers' order.
 */
export function createPrompt(system) {
  const messages = []
  const bill = { turns: 0, input: 0, cached: 0, output: 0, toolLists: 0, largest: 0 }
  let before = []

  return {
    hear: (message) => void messages.push(JSON.stringify(message)),
    say(message) {
      const text = JSON.stringify(message)
      messages.push(text)
      bill.output += tokensOf(text)
    },
    send(tools) {
      const lists = tools.map((tool) => JSON.stringify(tool))
      const sent = [...lists, system, ...messages]
      const common = sent.findIndex((text, index) => text !== before[index])
      const input = sum(sent)
      bill.turns++
      bill.input += input
      bill.cached += common === -1 ? input : sum(sent.slice(0, common))
      bill.toolLists += sum(lists)
      bill.largest = Math.max(bill.largest, input)
      before = sent
    },
    bill: () => ({ ...bill }),
  }
}

function sum(texts) {
  return texts.reduce((total, text) => total + tokensOf(text), 0)
}
