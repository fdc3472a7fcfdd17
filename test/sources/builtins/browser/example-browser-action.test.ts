import { expect, it } from 'vitest'
import { builtinSource } from '../../../../src/builtins.js'
import {
  toExecutionProfile,
  toInterface,
  toPermissionProfile,
} from '../../../../src/catalog/records/to-profiles.js'
import { openSet } from '../open-set.js'
import { startSite } from './start-site.js'
import { withChromium } from './with-chromium.js'

withChromium('[AT-EX-07] [AT-KIND-05] the standard’s example of a browser action', () => {
  it('[AT-INTER-08] [AT-SCEN-17] plans apart from acting, and carries session, page, observation and permission refs', async () => {
    const { origin } = await startSite()
    const { crib, call } = await openSet(builtinSource('browser', { hosts: ['127.0.0.1'] }), {
      permission: { allow: ['local.browser.*'] },
    })
    const names = ['observe', 'screenshot', 'wait', 'open', 'navigate', 'click', 'type', 'select']
    const planning = names.filter((name) => toInterface(crib.tool(`browser.${name}`)!).is_read_only)
    expect(planning).toEqual(['observe', 'screenshot', 'wait'])
    const click = crib.tool('browser.click')!
    expect(crib.declaration('browser.click')).toMatchObject({
      name: 'browser.click',
      tool_kind: 'browser_action',
      external_mappings: [{ source: 'browser', method: 'click' }],
    })
    expect(toExecutionProfile(click)).toMatchObject({ execution_kind: 'browser', supports_artifacts: true })
    expect(toPermissionProfile(click)).toMatchObject({
      access_kinds: ['browser', 'network'],
      write_effects: ['remote_mutation'],
    })

    const opened = await call('browser.open', { url: origin })
    const { browser_session_id, page_id } = opened.structured_content as Record<string, string>
    const at = { browser_session_id, page_id }
    const seen = await call('browser.observe', at)
    const ref = /textbox "Name" \[ref=(\w+)\]/.exec(seen.content![0]!.text!)![1]
    const observation_ref = `toolcrib://invocations/${seen.invocation_id}/output`
    const acts = [
      await call('browser.type', { ...at, ref, text: 'Ada' }),
      await call('browser.click', { ...at, ref }),
      await call('browser.navigate', { ...at, url: `${origin}/` }),
    ]
    for (const { invocation_id, toolcrib } of acts) {
      expect(toolcrib?.['native']).toMatchObject({
        source: 'browser',
        ...at,
        observation_ref,
        action_id: expect.any(String),
      })
      const { invocation, decisions } = (await crib.story(invocation_id))!
      expect(invocation.permission_decision_refs).toEqual(decisions.map(({ decision_id }) => decision_id))
      expect(decisions).toHaveLength(1)
    }
    const { content } = await call('browser.screenshot', at)
    expect(content).toMatchObject([
      { type: 'image', ref: { relation: 'content_block', media_type: 'image/png' } },
    ])
  })
})
