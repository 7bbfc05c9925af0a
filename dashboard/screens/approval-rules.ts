/** Describes the approval settings of an app in sentences, and the changes of proposals. */
import type { AdminProposal } from '@latchkey/protocol/admin'

type Settings = Readonly<Record<string, unknown>>

const countEntries = (value: unknown) => (Array.isArray(value) ? value.length : 0)
const usd = (value: unknown) => (value === null ? 'any amount' : `${String(value)} USD`)
const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

export function approvalSentences(settings: Settings): (readonly [name: string, sentence: string])[] {
  const noPrompt = Object(settings.no_prompt) as Settings
  const silent = [
    ...(noPrompt.messages === true ? ['plain messages'] : []),
    ...(countEntries(noPrompt.calls) > 0 ? [plural(countEntries(noPrompt.calls), 'contract call')] : []),
    ...(countEntries(noPrompt.typed_data) > 0
      ? [`${plural(countEntries(noPrompt.typed_data), 'kind')} of typed data`]
      : []),
  ]
  const messages = settings.frame_messages_per_day
  return [
    [
      'On the card',
      `A wallet moves ${usd(settings.frame_approvals_usd_per_day)} a day with approvals on the card, and ${usd(settings.frame_approvals_usd_per_day_unseen)} of it in browsers that cannot detect covers.`,
    ],
    [
      'Messages',
      `A wallet signs ${messages === null ? 'any number of' : String(messages)} plain messages a day without the confirmation page.`,
    ],
    [
      'Contract calls',
      countEntries(settings.card_calls) + countEntries(settings.card_typed_data) === 0
        ? 'The card approves no contract calls and no typed data.'
        : `The card approves ${plural(countEntries(settings.card_calls), 'listed contract call')} and ${plural(countEntries(settings.card_typed_data), 'kind')} of typed data.`,
    ],
    [
      'Without a screen',
      settings.enforce_wallet_uis === true || silent.length === 0
        ? 'Nothing is signed without a screen.'
        : `If the host page asks for it: ${silent.join(', ')}.`,
    ],
    [
      'New methods',
      `A new login method opens no wallet on a new device for ${String(settings.new_method_hours ?? 72)} hours.`,
    ],
  ]
}

type Change = { name: string; before: unknown; after: unknown }

/** Returns the changes of a proposal. A setting may be a part of a stored one, such as `no_prompt.messages`. */
export function listChanges({ settings, requester, replaces }: AdminProposal): Change[] {
  const readPath = (path: string) =>
    path.split('.').reduce<unknown>((value, key) => Object(value)[key], replaces.settings) ?? null
  return [
    ...Object.entries(settings ?? {}).map(([name, after]) => ({ name, before: readPath(name), after })),
    ...(requester === null
      ? []
      : [{ name: 'requesters', before: replaces.requester, after: requester as unknown }]),
  ]
}
