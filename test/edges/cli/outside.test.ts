import { describe, expect, it } from 'vitest'
import { createPlace, workshop } from './run-cli.js'

const CALL = ['call', 'math.add', 'a=1', 'b=2']
const configWith = (permission: string): string => `tools: ['${workshop}']\npermission:\n  ${permission}\n`

describe('a policy engine in the config', () => {
  it.each<[string, string, RegExp]>([
    [
      'names nothing',
      'engine: {}',
      /^toolcrib\.yaml:3: "permission\.engine" needs either "cedar" or "url"\n$/,
    ],
    ['names no file', 'engine: { cedar: [none.cedar] }', /^none\.cedar: there is no such policy file\n$/],
    ['is no Cedar', 'engine: { cedar: [bad.cedar] }', /^bad\.cedar:2: /],
    ['has no address', 'engine: { url: nowhere }', /^toolcrib\.yaml:3: /],
    ['classifier without address', 'classifier: { id: x, url: nowhere }', /^toolcrib\.yaml:3: /],
  ])('that %s prints a sentence with its position', async (_what, permission, sentence) => {
    const place = createPlace(configWith(permission))
    place.write('bad.cedar', '\npermit (nobody);\n')
    place.trust()
    for (const args of [CALL, ['rules'], ['explain', ...CALL.slice(1)]]) {
      const { code, stderr } = await place.run(args)
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(sentence) })
      expect(stderr).not.toContain('    at ')
    }
    expect((await place.run(['log'])).code).toBe(0)
  })

  it('is named by explain, which sends it no request', async () => {
    const place = createPlace(configWith("engine: { url: 'http://127.0.0.1:9/' }"), { isTrusted: false })
    const { code, stderr } = await place.run(['explain', ...CALL.slice(1)])
    expect(code).toBe(0)
    expect(stderr).toMatch(/the policy engine ".+" would be asked about what no rule decides/)
    expect(stderr).toContain('until the config is trusted')
  })
})
