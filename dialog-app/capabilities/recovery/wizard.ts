/**
 * The steps to a password: creating, saving, confirming, finalizing, done. Each is a screen of its own, so that back
 * leads to the one before; what was typed goes with it and is nowhere else. The password is set when the last
 * question was answered.
 */
import { dialogLimits, toLatchkeyError } from '@latchkey/protocol'
import type { CapabilityPorts } from '../../core/capability.ts'
import type { CardHandle } from '../../core/flow.ts'
import { screen } from '../../core/screen.ts'
import { appName } from '../../core/settings.ts'
import type { passwordCreateScreen, passwordUpdateScreen } from './screens.ts'
import type { ByUser } from './setting.ts'
import { english } from './texts.en.ts'
import type { WizardEvents, WizardState, WizardStep } from './wizard-screen.tsx'

export type Wizard = {
  readonly record: typeof passwordCreateScreen | typeof passwordUpdateScreen
  /** Undefined where it began by itself: then there is nothing to cancel, and it closes by itself. */
  readonly byUser: ByUser | undefined
  readonly save: (password: string) => Promise<void>
  /** Its first screen: one that stands alone, or that back leads from. */
  readonly show: CardHandle['go']
}

/** Resolves when the password is set, and where nobody closes it, when that was seen. */
export function runWizard(
  { settings, analytics }: Pick<CapabilityPorts, 'settings' | 'analytics'>,
  card: CardHandle,
  { record, byUser, save, show }: Wizard,
): Promise<void> {
  const set = Promise.withResolvers<void>()
  const nothing = () => {}

  function view(step: WizardStep, handlers: Partial<HandlersOfWizard>) {
    const state: WizardState = {
      appName: appName(settings()),
      isUpdate: record.name === 'EMBEDDED_WALLET_PASSWORD_UPDATE_SCREEN',
      byUser: byUser !== undefined,
      step,
    }
    return screen(record, state, {
      create: nothing,
      generate: nothing,
      next: nothing,
      finish: nothing,
      cancel: byUser?.cancel ?? nothing,
      close: byUser?.close ?? nothing,
      ...handlers,
    })
  }

  const creating = (typed = '') =>
    view(
      { at: 'creating', password: typed },
      {
        create: (password) => card.go(saving(password)),
        generate: () => void generate(),
      },
    )
  const saving = (password: string) =>
    view({ at: 'saving', password }, { next: () => card.go(confirming(password)) })
  const confirming = (password: string) =>
    view({ at: 'confirming', password }, { next: () => card.go(finalizing(password)) })
  const finalizing = (password: string, problem?: string) =>
    view(
      { at: 'finalizing', status: 'asking', ...(problem !== undefined && { problem }) },
      { finish: () => void finish(password) },
    )

  async function generate() {
    const { generatedPassword } = await import('./later-password.ts')
    card.update(creating(generatedPassword()))
  }

  async function finish(password: string) {
    card.update(view({ at: 'finalizing', status: 'setting' }, {}))
    try {
      await save(password)
    } catch (error) {
      analytics('embedded_wallet_set_password_failed')
      if (!card.signal.aborted) card.update(finalizing(password, problemOf(error)))
      return
    }
    card.restart(view({ at: 'done' }, {}))
    if (!byUser) await card.hold(dialogLimits.successCloseMs)
    set.resolve()
  }

  show(creating())
  return set.promise
}

type HandlersOfWizard = {
  readonly [Name in keyof WizardEvents]: (...values: WizardEvents[Name]) => void
}

const problemOf = (error: unknown) =>
  toLatchkeyError(error, 'error', '').code === 'embedded_wallet_recovery_already_exists'
    ? english.problems.changedElsewhere
    : english.problems.notSet
