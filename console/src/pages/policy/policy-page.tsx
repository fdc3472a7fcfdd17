import type { ReactNode } from 'react'
import { listRules, type Rules } from '../../api/policy.js'
import { useResource } from '../../live/use-resource.js'
import { Badge } from '../../ui/badge.js'
import { Loading } from '../../ui/empty.js'
import { ErrorBox } from '../../ui/error-box.js'
import { PageHeader } from '../../ui/page-header.js'
import { Tabs, useTab, type Tab } from '../../ui/tabs.js'
import { ExplainForm } from './explain-form.js'
import { HookList } from './hook-list.js'
import { RuleList } from './rule-list.js'
import { RuleTests } from './rule-tests.js'
import './policy.css'

/** The rules in force, how they would decide a call, their examples, and the hooks. */
export default function PolicyPage(): ReactNode {
  const rules = useResource('rules', listRules, { events: { types: ['toolcrib.config.'] } })
  const failing = testsOf(rules.data).filter(({ passes }) => !passes).length
  const tabs = [
    { name: 'rules', title: 'Rules' },
    { name: 'explain', title: 'Explain a call' },
    {
      name: 'tests',
      title: <>Test cases {failing > 0 && <Badge tone="bad">{failing} fail</Badge>}</>,
    },
    { name: 'hooks', title: 'Hooks' },
  ] as const satisfies readonly Tab<string>[]
  const tab = useTab<(typeof tabs)[number]['name']>(tabs)
  return (
    <>
      <PageHeader title="Policy" note={noteOf(rules.data)} />
      <Tabs label="Parts of the policy" tabs={tabs} current={tab} />
      <div className="page-body">
        <ErrorBox error={rules.error} onRetry={rules.refresh} />
        {tab === 'explain' && <ExplainForm />}
        {tab === 'hooks' && <HookList />}
        {rules.data === undefined
          ? tab !== 'explain' && tab !== 'hooks' && rules.error === undefined && <Loading />
          : (tab === 'rules' && <RuleList rules={rules.data} />) ||
            (tab === 'tests' && <RuleTests rules={rules.data} />)}
      </div>
    </>
  )
}

function testsOf(rules: Rules | undefined): readonly { readonly passes: boolean }[] {
  return (rules?.items ?? []).flatMap(({ tests = [] }) => tests)
}

function noteOf(rules: Rules | undefined): string {
  if (rules === undefined) return ''
  const count = rules.items.length
  return `mode ${rules.mode} · ${count.toLocaleString()} ${count === 1 ? 'rule' : 'rules'}`
}
