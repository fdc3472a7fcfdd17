import { headerCredential, type HeaderSource } from '../../credentials/header-credential.js'
import { checkOptions } from '../../platform/validation/check-options.js'
import { defineClassifier, type ClassifierAnswer, type ClassifierDefinition } from './classifier.js'
import { parseAddress, postJson } from './post-json.js'

export type HttpClassifierOptions = Omit<ClassifierDefinition, 'classify'> & {
  url: string
  headers?: HeaderSource
}

/**
 * A classifier at a URL. It gets `{ "input": request }` and answers `{ verdict, confidence, reason }`, or the same
 * under `result`.
 */
export function httpClassifier({ url, headers, ...options }: HttpClassifierOptions): ClassifierDefinition {
  const address = parseAddress('An HTTP classifier', url)
  checkOptions(
    'An HTTP classifier',
    { headers },
    { headers: typeof headers === 'function' ? 'function' : 'object' },
  )
  const credential = headerCredential({ origin: address.origin, headers })
  return defineClassifier({
    ...options,
    async classify(request, signal) {
      const answer = await postJson({ url: address, credential, body: { input: request }, signal })
      const isWrapped = typeof answer === 'object' && answer !== null && 'result' in answer
      return (isWrapped ? answer.result : answer) as ClassifierAnswer
    },
  })
}
