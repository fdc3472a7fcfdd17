import type { Field, Fields } from '../fields.js'

export const cloudProviders = ['aws', 'gcp', 'azure'] as const
export type CloudProvider = (typeof cloudProviders)[number]

const ADDRESS = String.raw`https?:\/\/\S+`

/** The form of the id of a function, by provider, as a regular expression. */
export const functionIdForms: Readonly<Record<CloudProvider, { form: string; words: string }>> = {
  aws: {
    form: String.raw`^arn:aws[\w-]*:lambda:[\w-]+:\d+:function:[\w-]+(?::[\w$-]+)?$`,
    words: 'an ARN, such as arn:aws:lambda:eu-west-1:123456789012:function:send-email',
  },
  gcp: {
    form: `^(?:projects\\/[^/\\s]+\\/(?:locations\\/[^/\\s]+\\/)?functions\\/[^/\\s]+|${ADDRESS})$`,
    words:
      'a resource name, such as projects/acme/locations/europe-west1/functions/send-email, or an address',
  },
  azure: {
    form: `^(?:\\/?[\\w.-]+(?:\\/[\\w.-]+)+|${ADDRESS})$`,
    words: 'a resource path, such as acme-app/send-email, or the address of the function',
  },
}

export function checkFunctionId(
  fields: Fields,
  { id, provider }: { id: Field<string>; provider: CloudProvider },
): void {
  const { form, words } = functionIdForms[provider]
  if (!new RegExp(form).test(id.value))
    fields.report.add('aml/invalid-function-id', id.node, `"${fields.path}.function_id" must be ${words}.`)
}
