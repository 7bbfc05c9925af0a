import type { ApprovalEvents } from '../../../approval/approval.ts'
import type { Gate } from '../../../approval/gate.ts'
import { ApprovalPress } from '../../../approval/step/approval-step.tsx'
import type { PartProps } from '../../../flow/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { Group } from '../../../ui/group.tsx'
import { useShowAll } from '../../../ui/rows/show-all.ts'
import { StillRow } from '../../../ui/rows/still-row.tsx'
import { Heading, Note, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import { methodIcon } from '../method-icon.tsx'
import { type EnrolProblem, isOwnChoice } from '../problem.ts'
import { texts } from '../texts.arb'

export type ListedPasskey = { id: string; device: string | undefined }
export type PasskeysState = {
  passkeys: readonly ListedPasskey[]
  /** One more can be added. */
  hasRoom: boolean
  problem: EnrolProblem | undefined
} & ({ status: 'review'; gate: Gate } | { status: 'adding' } | { status: 'enabling' })
export type PasskeysEvents = ApprovalEvents & { add: readonly [] }

type Props = PartProps<PasskeysState, PasskeysEvents>

/** A list of so many is shown whole; of a longer one, the first are, until the user asks for all. */
const listedWhole = 3
const firstListed = 2

export function PasskeysScreen({ state, send }: Props) {
  const { passkey, problems, enrolProblems } = useTexts(texts)
  const { passkeys, hasRoom, status, problem } = state
  const hasSome = passkeys.length > 0
  return (
    <Stack>
      <Heading>
        <Title>{passkey.title}</Title>
        <Lead>{hasSome ? passkey.detail : passkey.noneYet}</Lead>
      </Heading>
      {problem && (
        <Banner kind={isOwnChoice(problem) ? 'info' : 'danger'}>
          {{ ...problems, ...enrolProblems }[problem]}
        </Banner>
      )}
      {hasSome && <Passkeys passkeys={passkeys} />}
      {hasSome && status !== 'adding' && (
        <ApprovalPress
          gate={status === 'review' ? state.gate : 'given'}
          send={send}
          busy={status === 'enabling' && passkey.enabling}
        >
          {passkey.enable}
        </ApprovalPress>
      )}
      {hasRoom && status !== 'enabling' && (
        <Button
          kind={hasSome ? 'quiet' : 'primary'}
          busy={status === 'adding' && passkey.adding}
          onPress={() => send('add')}
        >
          {passkey.add}
        </Button>
      )}
    </Stack>
  )
}

function Passkeys({ passkeys }: { passkeys: readonly ListedPasskey[] }) {
  const { passkey } = useTexts(texts)
  const { showsAll, showAll, list } = useShowAll()
  const shown = showsAll || passkeys.length <= listedWhole ? passkeys : passkeys.slice(0, firstListed)
  return (
    <>
      <div ref={list} tabIndex={-1}>
        <Group>
          {shown.map(({ id, device }) => (
            <StillRow key={id} icon={methodIcon('passkey')} label={device ?? passkey.unknownDevice} />
          ))}
        </Group>
      </div>
      {shown.length < passkeys.length && (
        <Note>
          <Button kind="text" onPress={showAll}>
            {passkey.viewAll}
          </Button>
        </Note>
      )}
    </>
  )
}
