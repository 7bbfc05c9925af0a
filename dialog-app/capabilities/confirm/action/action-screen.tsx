import type { ConfirmedEvents, ShownApproval } from '../../../core/confirmed.ts'
import type { PartProps } from '../../../core/screen.ts'
import { ApprovalStep } from '../../../face/approval-step.tsx'
import { Asker } from '../../../face/asker.tsx'
import { useTexts } from '../../../i18n/context.tsx'
import { shellTexts } from '../../../i18n/shell.ts'
import { Address } from '../../../ui/address.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Fact, Facts } from '../../../ui/facts.tsx'
import { Heading, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import type { ConfirmTexts } from '../texts.en.ts'
import { texts } from '../texts.ts'

/** What is done, by the words for it. */
export type ShownAction = keyof ConfirmTexts['actions']

export type ActionState = {
  readonly action: ShownAction
  readonly appName: string
  /** Who asked, as the browser vouched for it; null where the dialog stood alone. */
  readonly origin: string | null
  /** What its user logs in with, and their wallet; null where there is no such thing. */
  readonly account: string | null
  readonly address: string | null
} & ({ readonly status: 'review'; readonly approval: ShownApproval } | { readonly status: 'deciding' })

export function ActionScreen({ state, send }: PartProps<ActionState, ConfirmedEvents>) {
  const { actions, action: words, approval } = useTexts(texts)
  const { address: addressTexts } = useTexts(shellTexts)
  const { title, detail, warning, go } = actions[state.action]
  const { account, address, status } = state
  return (
    <Stack>
      <Heading>
        <Title>{title}</Title>
        <Asker {...state} iconUrl={undefined} />
        <Lead>{detail}</Lead>
      </Heading>
      <Banner kind="warning">{warning}</Banner>
      <Facts>
        {account !== null && (
          <Fact term={words.account}>
            <bdi>{account}</bdi>
          </Fact>
        )}
        {address !== null && (
          <Fact term={words.wallet}>
            <Address address={address} copyLabel={addressTexts.copy} copiedLabel={addressTexts.copied} />
          </Fact>
        )}
      </Facts>
      <ApprovalStep
        shown={status === 'review' ? state.approval : { by: 'given', isOwnPage: true }}
        send={send}
        words={approval}
        busy={status === 'deciding' && words.deciding}
      >
        {go}
      </ApprovalStep>
    </Stack>
  )
}
