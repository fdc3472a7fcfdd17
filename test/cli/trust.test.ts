import { describe, expect, it } from 'vitest'
import { hasScript, onTerminal } from './on-terminal.js'
import { createPlace, fixtures } from './run-cli.js'

const CONFIG = `tools: ['${fixtures}']\npermission: { allow: [test.touch] }\n`
const TOUCH = ['call', 'test.touch', 'path=made', 'secret=x']

describe('toolcrib trust', () => {
  it('is given by nobody but a person at a terminal', async () => {
    const place = createPlace(CONFIG, { isTrusted: false })
    for (const input of ['', 'y\n']) {
      const { code, stderr } = await place.run(['trust'], { input })
      expect(code).toBe(2)
      expect(stderr).toContain('toolcrib.yaml wants to loosen:')
      expect(stderr).toContain('allow test.touch')
      expect(stderr).toContain('Only a person at a terminal can give trust')
    }
    expect((await place.run(TOUCH)).code).toBe(2)
  })

  it('shows on what condition a rule would allow', async () => {
    const when = '{ read_only: true, actor: [ann, ben], args: { a: 1 } }'
    const place = createPlace(`permission:\n  allow:\n    - { rule: '*', when: ${when} }\n`, {
      isTrusted: false,
    })
    const { stderr } = await place.run(['trust'])
    expect(stderr).toContain('allow * when read_only: true, actor: ann or ben, args: ')
  })

  it('says when there is nothing to trust', async () => {
    expect((await createPlace('').run(['trust'])).stderr).toContain('nothing to trust')
    expect((await createPlace('permission: { deny: [Bash] }\n').run(['trust'])).stderr).toContain(
      'Nothing here waits',
    )
    expect((await createPlace(CONFIG, { isTrusted: false }).run(['trust', '--revoke'])).stderr).toContain(
      'Nothing here was trusted',
    )
  })
})

describe.skipIf(!hasScript)('at a terminal', () => {
  const ASKED = /\[y\/N\]/

  it('a yes holds for the file as it is, until it is another or the trust is taken back', async () => {
    const place = createPlace(CONFIG, { isTrusted: false })
    expect((await onTerminal(place, 'trust', { typed: [[ASKED, 'n\r']] })).code).toBe(1)
    expect((await place.run(TOUCH)).code).toBe(2)
    const { code, text } = await onTerminal(place, 'trust', { typed: [[ASKED, 'y\r']] })
    expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining('Trusted.') })
    expect((await place.run(TOUCH)).code).toBe(0)
    expect((await place.run(['trust', '--revoke'])).stderr).toContain('no longer count')
    expect((await place.run(TOUCH)).code).toBe(2)
  })

  it('a yes is about what was shown, and not about what was written while one read', async () => {
    const place = createPlace(CONFIG, { isTrusted: false })
    /** Somebody else writes as soon as the question stands there. */
    class Meanwhile extends RegExp {
      override exec(text: string): RegExpExecArray | null {
        const found = super.exec(text)
        if (found) place.write('toolcrib.yaml', `${CONFIG}surface: { mode: bypass }\n`)
        return found
      }
    }
    const { code } = await onTerminal(place, 'trust', { typed: [[new Meanwhile(ASKED), 'y\r']] })
    expect(code).toBe(0)
    const { stderr } = await place.run(['rules'])
    expect(stderr).toContain('2 settings that loosen wait for your trust')
    expect((await place.run(TOUCH)).code).toBe(2)
  })

  it('not from inside a tool call', async () => {
    const place = createPlace(CONFIG, { isTrusted: false })
    const { code, text } = await onTerminal(place, 'trust', { env: { TOOLCRIB_INVOCATION: 'inv_1' } })
    expect({ code, text }).toMatchObject({ code: 2, text: expect.stringContaining('inside a tool call') })
  })
})
