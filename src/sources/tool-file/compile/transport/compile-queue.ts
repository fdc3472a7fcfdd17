import type { QueueTransport } from '../../compiled.js'
import { choiceField, textField, type Field, type Fields } from '../fields.js'

export const queueProviders = ['aws', 'gcp', 'azure', 'kafka'] as const
export const messageFormats = ['json', 'avro'] as const

/** The form of the address of a queue, by provider, as a regular expression. */
export const queueForms: Readonly<Record<(typeof queueProviders)[number], { form: string; words: string }>> =
  {
    aws: { form: String.raw`^https?:\/\/[^\s@]+\/\S+$`, words: 'the https address of the queue' },
    gcp: {
      form: String.raw`^(?:https?:\/\/[^\s@]+\/\S+|(?:\/\/pubsub\.googleapis\.com\/)?projects\/[^/\s]+\/(?:topics|subscriptions)\/[^/\s]+)$`,
      words: 'the path of a topic, such as projects/acme/topics/orders',
    },
    azure: { form: String.raw`^[^\s@;]+$`, words: 'the address of the queue or topic' },
    kafka: {
      form: String.raw`^[^\s@]+$`,
      words: 'the brokers and the topic, such as kafka://host:9092/orders',
    },
  }

type OwnFields = Omit<QueueTransport, 'timeout_ms' | 'retry_policy' | 'credentials'>

export function compileQueue(fields: Fields): OwnFields | undefined {
  const missing = 'aml/missing-transport-field'
  const wrong = 'aml/invalid-queue-url'
  const provider = choiceField(fields, 'provider', {
    of: queueProviders,
    missing,
    wrong: 'aml/invalid-provider',
  })
  const queue = textField(fields, 'queue_url', { missing, wrong, hasForm: true })
  const answers = textField(fields, 'response_queue_url', { wrong, hasForm: true })
  const format = choiceField(fields, 'message_format', {
    of: messageFormats,
    wrong: 'aml/invalid-message-format',
  })
  if (provider && queue) checkQueue(fields, { queue, provider: provider.value, name: 'queue_url' })
  if (provider && answers)
    checkQueue(fields, { queue: answers, provider: provider.value, name: 'response_queue_url' })
  if (!provider || !queue) return undefined
  return {
    type: 'message-queue',
    provider: provider.value,
    queue_url: queue.value,
    message_format: format?.value ?? 'json',
    ...(answers && { response_queue_url: answers.value }),
  }
}

function checkQueue(
  fields: Fields,
  { queue, provider, name }: { queue: Field<string>; provider: keyof typeof queueForms; name: string },
): void {
  const { form, words } = queueForms[provider]
  if (!new RegExp(form).test(queue.value))
    fields.report.add('aml/invalid-queue-url', queue.node, `"${fields.path}.${name}" must be ${words}.`)
}
