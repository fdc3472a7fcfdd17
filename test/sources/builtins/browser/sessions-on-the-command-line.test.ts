import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { createPlace, untilPrinted } from '../../../edges/cli/run-cli.js'
import { startSite } from './start-site.js'
import { withChromium } from './with-chromium.js'

const CONFIG = 'builtins:\n  browser: { hosts: [127.0.0.1] }\npermission:\n  allow: [local.browser.*]\n'

const idIn = (stdout: string): string =>
  (JSON.parse(stdout) as { browser_session_id: string }).browser_session_id

withChromium('browser sessions on the command line', () => {
  it('stay open between commands in a running gateway', async () => {
    const { origin } = await startSite()
    const place = createPlace(CONFIG)
    const gateway = place.start(['serve', '--port', '0'])
    onTestFinished(async () => {
      const ended = once(gateway, 'exit')
      gateway.kill()
      await ended
    })
    await untilPrinted(gateway, /Ctrl-C/)
    const opened = await place.run(['call', 'browser.open', `url=${origin}/`])
    expect(opened).toMatchObject({ code: 0, stderr: '' })
    const id = `browser_session_id=${idIn(opened.stdout)}`
    const seen = await place.run(['call', 'browser.observe', id])
    expect(seen.stdout).toContain('heading "Order tea"')
    expect(await place.run(['call', 'browser.close', id])).toMatchObject({ code: 0 })
  })

  it('end with a command without one, which says so', async () => {
    const { origin } = await startSite()
    const place = createPlace(CONFIG)
    const opened = await place.run(['call', 'browser.open', `url=${origin}/`])
    expect(opened).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('"toolcrib serve" keeps sessions between commands.'),
    })
    const seen = await place.run(['call', 'browser.observe', `browser_session_id=${idIn(opened.stdout)}`])
    expect(seen).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no such browser session'),
    })
  })
})
