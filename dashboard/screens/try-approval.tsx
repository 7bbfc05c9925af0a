/** Tries a request against the approval rules of the server, which decide for users too. */
import { type AdminRouteOutput, adminApprovalRoutes } from '@latchkey/protocol/admin'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type CallInput, callAdmin } from '../api/call.ts'
import { Card, CurlButton, Facts } from '../shell/screen.tsx'
import { Button } from '../ui/button.tsx'
import { SelectField, TextArea, TextField } from '../ui/fields.tsx'
import { Badge, Problem } from '../ui/states.tsx'
import styles from './screens.module.css'

const { tryApproval } = adminApprovalRoutes
type Outcome = AdminRouteOutput<typeof tryApproval>
type Input = CallInput<typeof tryApproval>
type Kind = 'transaction' | 'typedData' | 'message'

const kinds = [
  ['transaction', 'Transaction'],
  ['typedData', 'Typed data'],
  ['message', 'Message'],
] as const satisfies [Kind, string][]

const places = [
  ['frame', 'A card that detects covers'],
  ['unseen', 'A card that detects no covers'],
  ['silent', 'No screen, as the host page asks'],
] as const

const outcomes = {
  silent: ['Signed without a screen', 'warning'],
  frame: ['Approved on the card', 'good'],
  unseen: ['Approved on the card', 'good'],
  page: ['Approved on the confirmation page', 'warning'],
  refused: ['Refused', 'bad'],
} as const satisfies Record<Outcome['place'], [string, string]>

const reasons = {
  plain_message: 'It is a plain message.',
  account_action: 'It is an action of the account.',
  test_network: 'The network is a test network of the app.',
  within_allowance: 'Its value and fee are within the daily allowance.',
  within_limits: 'The app lists it, and its limit is not used up.',
  beyond_allowance: 'Its value and fee are above a daily limit.',
  too_often: 'It was made too often today, or has two calls of one listed limit.',
  allowance_or_permit: 'It lets somebody take tokens later.',
  not_understood: 'The server does not know what it does, and the app does not list it.',
  no_price: 'What it moves has no price, so it cannot be counted.',
  sign_in_elsewhere: 'It signs in to a site that is not an origin of the app.',
  relayed: 'It comes from a dapp through a relay.',
  browser: 'The browser cannot detect whether the card is covered.',
} as const satisfies Record<NonNullable<Outcome['reason']>, string>

export function TryApproval({ app }: { app: string }) {
  const [kind, setKind] = useState<Kind>('transaction')
  const [place, setPlace] = useState<(typeof places)[number][0]>('frame')
  const [fields, setFields] = useState({ chainId: '1', to: '', value: '0', data: '0x', text: '' })
  const attempt = useMutation({ mutationFn: (input: Input) => callAdmin(tryApproval, input) })
  const field = (name: keyof typeof fields) => ({
    value: fields[name],
    onChange: ({ target }: { target: { value: string } }) => {
      setFields({ ...fields, [name]: target.value })
      attempt.reset()
    },
  })
  const to = fields.to.trim()
  const request =
    kind === 'transaction'
      ? {
          transaction: {
            chainId: Number(fields.chainId),
            ...(to !== '' && { to }),
            value: fields.value.trim(),
            data: fields.data.trim(),
          },
        }
      : { [kind]: fields.text }
  const input: Input = { params: { app }, body: { ...request, place } }
  return (
    <Card title="Try a request" isPadded actions={<CurlButton route={tryApproval} input={input} />}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          attempt.mutate(input)
        }}
      >
        <div className={styles.columns}>
          <SelectField
            label="Request"
            options={kinds}
            value={kind}
            onChange={({ target }) => {
              setKind(target.value as Kind)
              attempt.reset()
            }}
          />
          <SelectField
            label="Approval on"
            options={places}
            value={place}
            onChange={({ target }) => {
              setPlace(target.value as typeof place)
              attempt.reset()
            }}
          />
        </div>
        {kind === 'transaction' ? (
          <>
            <div className={styles.columns}>
              <TextField label="Chain id" inputMode="numeric" {...field('chainId')} />
              <TextField
                label="To"
                placeholder="0x…"
                hint="Empty for a contract creation."
                {...field('to')}
              />
              <TextField
                label="Value"
                inputMode="numeric"
                hint="In wei, as a decimal number."
                {...field('value')}
              />
            </div>
            <TextArea label="Data" rows={3} {...field('data')} />
          </>
        ) : (
          <TextArea
            label={kind === 'message' ? 'Message' : 'Typed data'}
            hint={kind === 'message' ? 'Text, or bytes in hex.' : 'The JSON of eth_signTypedData_v4.'}
            rows={5}
            {...field('text')}
          />
        )}
        <div>
          <Button type="submit" kind="primary" disabled={attempt.isPending}>
            Try
          </Button>
        </div>
      </form>
      <Problem error={attempt.error} />
      <div role="status">{attempt.data && <Result outcome={attempt.data.output} />}</div>
    </Card>
  )
}

function Result({ outcome: { place, reason, refusal, usd, limits } }: { outcome: Outcome }) {
  const [title, tone] = outcomes[place]
  return (
    <Facts
      rows={[
        [
          'Decision',
          <Badge key="badge" tone={tone}>
            {title}
          </Badge>,
        ],
        ['Because', reason === null ? `${refusal?.message} (${refusal?.code})` : reasons[reason]],
        ...(usd === null ? [] : [['Counts as', `${usd} USD`] as const]),
        ...(limits.length === 0 ? [] : [['Daily limits', <Limits key="limits" limits={limits} />] as const]),
      ]}
    />
  )
}

const Limits = ({ limits }: Pick<Outcome, 'limits'>) => (
  <span className={styles.stack}>
    {limits.map(({ name, unit, most }) => (
      <span key={name}>
        <code>{name}</code>:{' '}
        {most === null ? 'none' : unit === 'cents' ? `${(most / 100).toFixed(2)} USD` : `${most} times`}
      </span>
    ))}
  </span>
)
