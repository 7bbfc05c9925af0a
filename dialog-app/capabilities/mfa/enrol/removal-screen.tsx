/** Removes a method. The user approves it, and verifies with a method that they have. */
import { findEmbeddedWallet, type MfaMethodType, type UserRecord } from '@latchkey/protocol'
import { useEffect, useEffectEvent, useState } from 'react'
import { useDialog } from '../../../app/context.ts'
import type { ScreenProps } from '../../../app/screen.ts'
import { useHeader } from '../../../app/screen-options.ts'
import type { ConfirmationHandlers, ShownApproval } from '../../../approval/confirmed.ts'
import { requestAction } from '../../../approval/confirmed-action.ts'
import { isRefusal } from '../../../approval/rejection.ts'
import { ApprovalStep } from '../../../approval/step/approval-step.tsx'
import { useApproval } from '../../../approval/step/use-approval.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Banner } from '../../../ui/lazy/banner.tsx'
import { Heading, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import type { MethodChange } from '../method-change.ts'
import type { MfaPorts } from '../ports.ts'
import { type EnrolProblem, enrolProblemOf, isOwnChoice } from '../problem.ts'
import { texts } from '../texts.arb'

/** `stopped`: the approval failed, and nothing was removed. */
type RemovalStatus = 'review' | 'removing' | 'stopped'

type Props = ScreenProps<
  'removed',
  { ports: MfaPorts; change: MethodChange; user: UserRecord; method: MfaMethodType }
>

export function RemovalScreen({ ports, change, user, method, screen }: Props) {
  const { handle } = useDialog()
  const [status, setStatus] = useState<RemovalStatus>('review')
  const [problem, setProblem] = useState<EnrolProblem>()
  const approval = useApproval((card, onShown) =>
    requestAction(
      ports,
      {
        card,
        address: findEmbeddedWallet(user)?.address ?? null,
        action: { method: 'remove-method', params: [method] },
      },
      onShown,
    ),
  )
  const isRemoving = status === 'removing'
  useHeader({ back: !isRemoving, close: !isRemoving })

  async function approveAndRemove(): Promise<void> {
    setStatus('review')
    const confirmed = await approval.request().catch(stop)
    if (!confirmed) return
    setStatus('removing')
    try {
      ports.session.replaceUser(await change.remove(method, confirmed, handle))
    } catch (error) {
      if (handle.signal.aborted) return
      setProblem(enrolProblemOf(error))
      return approveAndRemove()
    }
    screen.resolve('removed')
  }

  function stop(error: unknown): undefined {
    if (isRefusal(error)) return void screen.leave()
    setProblem(enrolProblemOf(error))
    setStatus('stopped')
  }

  const begin = useEffectEvent(() => void approveAndRemove())
  useEffect(begin, [])

  return (
    <RemovalView
      method={method}
      isLast={user.mfaMethods.length === 1}
      status={status}
      problem={problem}
      approval={approval.shown}
      handlers={approval.handlers}
      onRetry={() => void approveAndRemove()}
      onKeep={screen.leave}
    />
  )
}

export type RemovalViewProps = {
  method: MfaMethodType
  /** The user has no other method. */
  isLast: boolean
  status: RemovalStatus
  problem: EnrolProblem | undefined
  approval: ShownApproval | undefined
  handlers: ConfirmationHandlers
  onRetry: () => void
  onKeep: () => void
}

export function RemovalView(props: RemovalViewProps) {
  const { method, isLast, status, problem, approval, handlers, onRetry, onKeep } = props
  const { remove, problems, enrolProblems } = useTexts(texts)
  const isRemoving = status === 'removing'
  const keepButton = (
    <Button kind="quiet" onPress={onKeep}>
      {remove.keep}
    </Button>
  )
  return (
    <Stack>
      <Heading>
        <Title>{remove.titles[method]}</Title>
        <Lead>
          {remove.details[method]} {isLast && remove.last}
        </Lead>
      </Heading>
      {problem && !isRemoving && (
        <Banner kind={isOwnChoice(problem) ? 'info' : 'danger'}>
          {{ ...problems, ...enrolProblems }[problem]}
        </Banner>
      )}
      {status === 'stopped' ? (
        <>
          <Button onPress={onRetry}>{remove.again}</Button>
          {keepButton}
        </>
      ) : (
        <ApprovalStep
          shown={(!isRemoving && approval) || { by: 'given' }}
          handlers={handlers}
          busy={isRemoving && remove.removing}
          isDanger
          other={!isRemoving && keepButton}
        >
          {remove.remove}
        </ApprovalStep>
      )}
    </Stack>
  )
}
