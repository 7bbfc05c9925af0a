/** Enables the user's passkeys for verification: those that exist, and another one if there is room. */
import { loginMethodRows, type UserRecord } from '@latchkey/protocol'
import { passkeyRoutes } from '@latchkey/protocol/api'
import type { Gate } from '@latchkey/protocol/browser'
import { useEffect, useEffectEvent, useState } from 'react'
import { useDialog } from '../../../app/context.ts'
import { useHeader } from '../../../app/screen-options.ts'
import type { ApprovalHandlers } from '../../../approval/approval.ts'
import { ApprovalPress } from '../../../approval/step/approval-step.tsx'
import { useCardApproval } from '../../../approval/step/use-approval.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Group } from '../../../ui/group.tsx'
import { Banner } from '../../../ui/lazy/banner.tsx'
import { useShowAll } from '../../../ui/rows/show-all.ts'
import { StillRow } from '../../../ui/rows/still-row.tsx'
import { Heading, Note, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import { createChallenges } from '../../../webauthn/challenges.ts'
import { getDeviceName, isPasskey } from '../../../webauthn/device.ts'
import type { EnrolmentProps } from '../enrol/enrolment.ts'
import { methodIcon } from '../method-icon.tsx'
import { type EnrolProblem, enrolProblemOf, isOwnChoice } from '../problem.ts'
import { texts } from '../texts.arb'

type PasskeysStatus = 'review' | 'adding' | 'enabling'

export function PasskeysScreen({ enrolment, screen }: EnrolmentProps) {
  const { handle, screens, services } = useDialog()
  const { api, clock, session } = services
  const [status, setStatus] = useState<PasskeysStatus>('review')
  const [problem, setProblem] = useState<EnrolProblem>()
  const [challenges] = useState(() =>
    createChallenges(clock, () => api.call(passkeyRoutes.beginPasskeyLink, {}, handle)),
  )
  const approval = useCardApproval('protection')
  const passkeys = findPasskeys()
  const isEnabling = status === 'enabling'
  useHeader({ back: !isEnabling, close: !isEnabling })

  function findPasskeys() {
    const state = session.state()
    return state.status === 'authenticated' ? state.user.linkedAccounts.filter(isPasskey) : []
  }

  async function approveAndEnable() {
    setStatus('review')
    await approval.request()
    await orFail(enable)
  }

  async function enable() {
    setStatus('enabling')
    const credentialIds = findPasskeys().map(({ credentialId }) => credentialId)
    void complete(await enrolment.change.submit({ method: 'passkey', credentialIds }, handle))
  }

  async function complete(user: UserRecord) {
    await enrolment.complete(user, screens)
    screen.resolve('added')
  }

  async function add() {
    setProblem(undefined)
    setStatus('adding')
    const { relyingParty, options } = await challenges.present()
    const authenticator = await enrolment.ports.authenticator(handle)
    const authenticatorResponse = await authenticator.create(options, handle.signal)
    challenges.spend()
    handle.signal.throwIfAborted()
    session.replaceUser(
      await api.call(passkeyRoutes.linkPasskey, { relyingParty, authenticatorResponse }, handle),
    )
    await enable()
  }

  /** Shows why the run failed, and requests the approval again. */
  async function orFail(run: () => Promise<void>) {
    try {
      await run()
    } catch (cause) {
      if (handle.signal.aborted) return
      setProblem(enrolProblemOf(cause))
      void approveAndEnable()
    }
  }

  const begin = useEffectEvent(() => void approveAndEnable())
  useEffect(begin, [])

  return (
    <PasskeysView
      passkeys={passkeys.map((each) => ({ id: each.credentialId, device: getDeviceName(each) }))}
      hasRoom={passkeys.length < loginMethodRows.passkey.maxPerUser}
      status={status}
      problem={problem}
      gate={approval.shown}
      handlers={approval.handlers}
      onAdd={() => void orFail(add)}
    />
  )
}

export type ListedPasskey = { id: string; device: string | undefined }
export type PasskeysViewProps = {
  passkeys: readonly ListedPasskey[]
  /** Whether the user can add another passkey. */
  hasRoom: boolean
  status: PasskeysStatus
  problem: EnrolProblem | undefined
  gate: Gate
  handlers: ApprovalHandlers
  onAdd: () => void
}

/** A list of this length is shown whole. */
const listedWhole = 3
/** The first entries of a longer list are shown until the user requests all. */
const firstListed = 2

export function PasskeysView({
  passkeys,
  hasRoom,
  status,
  problem,
  gate,
  handlers,
  onAdd,
}: PasskeysViewProps) {
  const { passkey, problems, enrolProblems } = useTexts(texts)
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
          gate={status === 'review' ? gate : 'given'}
          handlers={handlers}
          busy={status === 'enabling' && passkey.enabling}
        >
          {passkey.enable}
        </ApprovalPress>
      )}
      {hasRoom && status !== 'enabling' && (
        <Button
          kind={hasSome ? 'quiet' : 'primary'}
          busy={status === 'adding' && passkey.adding}
          onPress={onAdd}
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
  const listed = showsAll || passkeys.length <= listedWhole ? passkeys : passkeys.slice(0, firstListed)
  return (
    <>
      <div ref={list} tabIndex={-1}>
        <Group>
          {listed.map(({ id, device }) => (
            <StillRow key={id} icon={methodIcon('passkey')} label={device ?? passkey.unknownDevice} />
          ))}
        </Group>
      </div>
      {listed.length < passkeys.length && (
        <Note>
          <Button kind="text" onPress={showAll}>
            {passkey.viewAll}
          </Button>
        </Note>
      )}
    </>
  )
}
