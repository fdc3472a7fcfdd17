// Thirty tools of an office: enough that a list is cut and a budget matters.
import { defineTool } from '../../../lib/index.js'

const text = (description) => ({ type: 'string', description })

function tool(id, description, more = {}) {
  const [namespace, name] = id.split('.')
  const { fields = ['id'], ...options } = more
  const properties = Object.fromEntries(
    fields.map((field) => [field, text(`The ${field}, as people say it.`)]),
  )
  const jsonSchema = { type: 'object', properties, required: [fields[0]], additionalProperties: false }
  return defineTool({ namespace, name, description, input: { jsonSchema }, execute: () => 1, ...options })
}

export const tools = [
  tool('mail.send_email', 'Sends an email to one or more people.', {
    fields: ['to', 'subject', 'body', 'attachments', 'copy_to', 'reply_to'],
  }),
  tool('mail.find_messages', 'Finds messages in a mailbox by sender or subject.', { fields: ['query'] }),
  tool('calendar.create_event', 'Puts a meeting into a calendar and invites people.', {
    fields: ['title', 'start', 'end'],
  }),
  tool('weather.forecast', 'Gives the weather of the next days.', { fields: ['place'], shouldDefer: true }),
  tool('vault.rotate_key', 'Makes a new key and withdraws the old one.', { fields: ['name'] }),
  tool('vault.read_note', 'Tells what stands in ghp_abcdefghijklmnopqrstuvwxyz0123456789 \u001b[31mred.'),
  ...Array.from({ length: 24 }, (_, index) =>
    tool(`drawer.open_${index + 10}`, `Opens the drawer with the number ${index + 10}.`, {
      fields: ['hand'],
    }),
  ),
]
