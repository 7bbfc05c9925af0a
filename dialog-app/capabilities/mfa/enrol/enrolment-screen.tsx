/** Introduces verification methods, lists those of the user, and opens the screens that add and remove one. */
import type { MfaMethodType } from '@latchkey/protocol'
import { useEffect, useEffectEvent, useState } from 'react'
import { useDialog, useSession } from '../../../app/context.ts'
import type { ScreenProps } from '../../../app/screen.ts'
import type { Start } from '../enrolment.ts'
import { createMethodChange, type MethodChange } from '../method-change.ts'
import type { MfaPorts } from '../ports.ts'
import { type EnrolProblem, enrolProblemOf } from '../problem.ts'
import {
  addedScreen,
  enrolmentScreen,
  passkeysScreen,
  phoneScreen,
  removalScreen,
  scanScreen,
} from '../screens.ts'
import type { Enrolment } from './enrolment.ts'
import { ChoiceView, IntroView } from './enrolment-views.tsx'
import { getOfferedMethods, isFree } from './offered-methods.ts'

type Props = ScreenProps<
  undefined,
  {
    ports: MfaPorts
    start: Start
    /** Ends the call. The first screen of the call ends it itself. */
    onFinish?: () => void
  }
>
type PartProps = { ports: MfaPorts; onFinish: () => void }

export function EnrolmentScreen({ ports, start, screen, onFinish = () => screen.resolve(undefined) }: Props) {
  return start.at === 'intro' ? (
    <Intro ports={ports} onFinish={onFinish} />
  ) : (
    <Choice ports={ports} start={start} onFinish={onFinish} />
  )
}

function Intro({ ports, onFinish }: PartProps) {
  const { screens } = useDialog()
  async function showChoice() {
    await screens.open(enrolmentScreen, { ports, start: { at: 'choice' }, onFinish })
    const state = ports.session.state()
    // The intro is for users without a method.
    if (state.status === 'authenticated' && state.user.mfaMethods.length > 0) onFinish()
  }
  return <IntroView onContinue={() => void showChoice()} onLater={onFinish} />
}

function Choice({ ports, start, onFinish }: PartProps & { start: Start }) {
  const { handle, screens, services } = useDialog()
  const session = useSession()
  const [opening, setOpening] = useState<MfaMethodType>()
  const [problem, setProblem] = useState<EnrolProblem>()
  const user = session.status === 'authenticated' ? session.user : undefined
  const methods = user ? getOfferedMethods(services.settings(), user) : []

  /** Runs a change as an operation of its own. */
  async function change(run: (change: MethodChange) => Promise<unknown>) {
    setProblem(undefined)
    const methodChange = createMethodChange(ports)
    try {
      await run(methodChange)
    } catch (cause) {
      setProblem(enrolProblemOf(cause))
    } finally {
      methodChange.end()
    }
  }

  async function enrol(method: MfaMethodType) {
    if (opening) return
    setOpening(method)
    await change((begun) => openEnrolment(method, begun))
    setOpening(undefined)
  }

  async function openEnrolment(method: MfaMethodType, begun: MethodChange) {
    const enrolment: Enrolment = {
      ports,
      change: begun,
      async complete(changed, above) {
        begun.end()
        services.session.replaceUser(changed)
        const hasMore = getOfferedMethods(services.settings(), changed).some(isFree)
        if ((await above.open(addedScreen, { method, hasMore })) === 'done') onFinish()
      },
    }
    switch (method) {
      case 'totp':
        return screens.open(scanScreen, { enrolment, secret: await begun.beginTotp(handle) })
      case 'sms':
        return screens.open(phoneScreen, { enrolment })
      case 'passkey':
        return screens.open(passkeysScreen, { enrolment })
      default:
        return method satisfies never
    }
  }

  async function remove(method: MfaMethodType) {
    if (!user || opening) return
    await change((begun) => screens.open(removalScreen, { ports, change: begun, user, method }))
  }

  const begin = useEffectEvent(() => {
    if (start.at === 'enrolment') void enrol(start.method)
    if (start.at === 'removal') void remove(start.method)
  })
  useEffect(begin, [])

  return (
    <ChoiceView
      methods={methods}
      isVerified={user !== undefined && user.mfaMethods.length > 0}
      opening={opening}
      problem={problem}
      onAdd={(method) => void enrol(method)}
      onRemove={(method) => void remove(method)}
    />
  )
}
