/** The two steps of a deletion, as a person reads them. */
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { noHandlers } from '../../testing/approval.ts'
import { AccountDeletionView, type AccountDeletionViewProps } from './account-deletion-screen.tsx'

const draw = (change: Partial<AccountDeletionViewProps>) =>
  renderToStaticMarkup(
    <AccountDeletionView
      email="ada@example.org"
      hasWallet={false}
      status="review"
      problem={undefined}
      approval={{ by: 'press', gate: { state: 'armed', sinceMs: 0, asks: false } }}
      handlers={noHandlers}
      onContinue={() => {}}
      onKeep={() => {}}
      onLeave={() => {}}
      {...change}
    />,
  )
const read = (html: string) => html.split(/<[^>]*>/).filter((text) => text !== '')
const classesOf = (html: string, label: string) =>
  html
    .split('<button')
    .find((one) => one.includes(`<bdi>${label}</bdi>`))
    ?.match(/class="([^"]*)"/)?.[1]

const reading = draw({ status: 'reading' })
const reviewWith = (problem?: 'canceled' | 'other') => draw({ problem })

describe('the deletion of an account', () => {
  test('counts its steps', () => {
    expect(read(reading)[0]).toBe('Step 1 of 2')
    expect(read(reviewWith())[0]).toBe('Step 2 of 2')
  })

  test('has a red button only for the deletion, not for the next step', () => {
    expect(classesOf(reading, 'Continue')).toMatch(/primary/)
    expect(classesOf(reading, 'Continue')).not.toMatch(/danger/)
    expect(classesOf(reviewWith(), 'Delete my account')).toMatch(/danger/)
    expect(classesOf(reviewWith(), 'Keep my account')).toMatch(/quiet/)
  })

  test('does not show a cancellation as an error', () => {
    expect(reviewWith('canceled')).not.toContain('role="alert"')
    expect(reviewWith('other')).toContain('role="alert"')
  })
})
