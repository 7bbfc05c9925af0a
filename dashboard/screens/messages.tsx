import {
  type AdminMessage,
  type AdminRouteOutput,
  adminMessageRoutes,
  type MessageKind,
  type MessageTemplate,
  messageKindNames,
  messageKinds,
} from '@latchkey/protocol/admin'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { CallFailure } from '../api/call.ts'
import { adminQuery } from '../api/queries.ts'
import { Action, useChange } from '../shell/action.tsx'
import { Card, CurlButton, Screen } from '../shell/screen.tsx'
import { useCan, useSession } from '../shell/session.ts'
import { Button } from '../ui/button.tsx'
import { SelectField, TextArea, TextField } from '../ui/fields.tsx'
import { Badge, Empty, Loaded, Muted, Problem } from '../ui/states.tsx'
import styles from './screens.module.css'

const route = getRouteApi('/signed-in/apps/$app/messages')
const { listMessages, getMessage, setMessage, resetMessage, previewMessage, testMessage } = adminMessageRoutes

const kindNames: Readonly<Record<MessageKind, string>> = {
  login_code: 'Login code',
  confirmation_code: 'Confirmation code',
  confirmation_code_sms: 'Confirmation code by SMS',
  notice: 'End of notices',
}

const languageNames = new Intl.DisplayNames('en', { type: 'language' })

export function Messages() {
  const { app } = route.useParams()
  const { kind = 'login_code', locale = 'en' } = route.useSearch()
  const navigate = route.useNavigate()
  const list = useQuery(adminQuery(listMessages, { params: { app } }))
  const params = { app, kind, locale }
  const query = useQuery(adminQuery(getMessage, { params }))
  return (
    <Screen
      title="Messages"
      lead="The words of mails and text messages. Sentences that protect a code cannot be changed."
      call={<CurlButton route={listMessages} input={{ params: { app } }} />}
    >
      <Loaded query={list}>
        {({ output }) => (
          <Card isPadded>
            <div className={styles.columns}>
              <SelectField
                label="Message"
                options={messageKindNames.map((name) => [name, kindNames[name]])}
                value={kind}
                onChange={({ target }) => navigate({ search: { kind: target.value as MessageKind, locale } })}
              />
              <SelectField
                label="Language"
                options={output.data
                  .filter((each) => each.kind === kind)
                  .map((each) => [
                    each.locale,
                    `${languageNames.of(each.locale)}${each.isOwn ? ' · custom' : ''}`,
                  ])}
                value={locale}
                onChange={({ target }) => navigate({ search: { kind, locale: target.value } })}
              />
            </div>
          </Card>
        )}
      </Loaded>
      <Loaded query={query}>
        {({ output, etag }) => <Editor key={`${kind} ${locale} ${etag}`} message={output} etag={etag} />}
      </Loaded>
    </Screen>
  )
}

/** The languages that are written from right to left. */
const isRightToLeft = (locale: string) => /^(ar|fa|he|ur)\b/.test(locale)

const toBlocks = (words: string) =>
  words
    .split(/\n+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Returns the message of a refusal for the field that it names. */
function readFieldProblem(error: Error | null, field: 'subject' | 'heading' | 'blocks'): string | undefined {
  if (!(error instanceof CallFailure) || error.path?.split('.')[0] !== field) return undefined
  const [, at] = error.path.split('.')
  return at === undefined ? error.message : `Paragraph ${Number(at) + 1}: ${error.message}`
}
const isOfField = (error: Error | null) => error instanceof CallFailure && error.path !== undefined

function Editor({ message, etag }: { message: AdminMessage; etag: string | undefined }) {
  const { app } = route.useParams()
  const can = useCan()
  const { kind, locale } = message
  const { hasSubject, hasCode, meaning, mostBlocks, longestBlock } = messageKinds[kind]
  const [subject, setSubject] = useState(message.subject ?? '')
  const [heading, setHeading] = useState(message.heading ?? '')
  const [words, setWords] = useState(message.blocks.join('\n\n'))
  const dir = isRightToLeft(locale) ? 'rtl' : 'ltr'
  const [sentTo, setSentTo] = useState<string>()
  const params = { app, kind, locale }
  const body = {
    subject: hasSubject ? subject : null,
    heading: hasSubject ? heading : null,
    blocks: toBlocks(words),
  }
  const isChanged =
    JSON.stringify(body) !==
    JSON.stringify({ subject: message.subject, heading: message.heading, blocks: message.blocks })
  const preview = useQuery(createPreviewQuery({ params, body: useSettled(body) }))
  const save = useChange(setMessage)
  const input = { params, body, ifMatch: etag }
  // The server checks a preview like a save, so its refusals appear while the operator types.
  const problem = (field: 'subject' | 'heading' | 'blocks') => readFieldProblem(preview.error, field)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(input)
  }
  return (
    <Card
      title={kindNames[kind]}
      isPadded
      actions={message.isOwn ? <Badge tone="good">Custom</Badge> : <Badge>Default</Badge>}
    >
      <Muted>These are the words of {meaning}.</Muted>
      <div className={styles.columns}>
        <form className={styles.form} onSubmit={submit}>
          {hasSubject && (
            <>
              <TextField
                label="Subject"
                dir={dir}
                value={subject}
                onChange={({ target }) => setSubject(target.value)}
                problem={problem('subject')}
              />
              <TextField
                label="Heading"
                dir={dir}
                value={heading}
                onChange={({ target }) => setHeading(target.value)}
                problem={problem('heading')}
              />
            </>
          )}
          <TextArea
            label="Paragraphs"
            dir={dir}
            rows={8}
            value={words}
            onChange={({ target }) => setWords(target.value)}
            hint={`Each line is a paragraph: at most ${mostBlocks} of ${longestBlock} characters, without links. {{app}} is the name of the app${hasCode ? ' and {{code}} the code' : ''}.`}
            problem={problem('blocks')}
          />
          <Problem error={save.error} />
          {can('apps:write') && (
            <div className={styles.row}>
              <Button
                kind="primary"
                type="submit"
                disabled={!isChanged || save.isPending || preview.error !== null}
              >
                Save
              </Button>
              <SendTest params={params} body={body} isDisabled={preview.error !== null} onSent={setSentTo} />
              {message.isOwn && (
                <Action
                  label="Reset"
                  title="Use the default words again?"
                  description="The words of this message in this language are deleted."
                  verb="Reset"
                  isDangerous
                  route={resetMessage}
                  input={{ params, ifMatch: etag }}
                />
              )}
              <CurlButton route={setMessage} input={input} />
            </div>
          )}
          <span role="status">{sentTo !== undefined && <Muted>Sent to {sentTo}</Muted>}</span>
        </form>
        <figure className={styles.message} dir={dir} aria-label="Preview" aria-busy={preview.isFetching}>
          {preview.data === undefined ? (
            <>
              {!isOfField(preview.error) && <Problem error={preview.error} />}
              <Empty title="There is no preview">Correct the marked field to see the message.</Empty>
            </>
          ) : (
            <RenderedMessage message={preview.data.output} />
          )}
        </figure>
      </div>
    </Card>
  )
}

const isCode = (paragraph: string) => /^\d{6}$/.test(paragraph)

/** Shows a mail as its HTML part reads. The policy of this page allows no foreign markup, so React draws it. */
function RenderedMessage({ message }: { message: AdminRouteOutput<typeof previewMessage> }) {
  const { subject, heading, text } = message
  return (
    <>
      {subject !== null && (
        <div dir="ltr">
          <Muted>
            Subject: <bdi>{subject}</bdi>
          </Muted>
        </div>
      )}
      {heading !== null && <strong>{heading}</strong>}
      {text
        .trim()
        .split('\n\n')
        .map((paragraph, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs repeat, and have no state.
          <p key={at} dir="auto" className={isCode(paragraph) ? styles.digits : undefined}>
            {paragraph}
          </p>
        ))}
    </>
  )
}

/** Each preview leaves an audit entry, so it waits for a pause in the typing. */
const previewDelayMs = 500

/** Returns the value once it has not changed for a moment. */
function useSettled<Value>(value: Value): Value {
  const text = JSON.stringify(value)
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), previewDelayMs)
    return () => clearTimeout(timer)
  }, [text])
  return JSON.parse(settled) as Value
}

type PreviewInput = Parameters<typeof adminQuery<typeof previewMessage>>[1]

/** Keeps the last preview while the next one loads, so that typing does not flicker. */
const createPreviewQuery = (input: PreviewInput) =>
  queryOptions({ ...adminQuery(previewMessage, input), placeholderData: keepPreviousData, retry: false })

type SendTestProps = {
  params: { app: string; kind: MessageKind; locale: string }
  body: MessageTemplate
  isDisabled: boolean
  onSent: (to: string) => void
}

function SendTest({ params, body, isDisabled, onSent }: SendTestProps) {
  const { email } = useSession()
  const isSms = messageKinds[params.kind].channel === 'sms'
  const [to, setTo] = useState(isSms ? '' : email)
  return (
    <Action
      label="Send a test"
      title="Send a test"
      description="The message is marked as a test, and its code does not work."
      verb="Send"
      isDisabled={isDisabled || to === ''}
      route={testMessage}
      input={{ params, body: { ...body, to } }}
      onDone={({ output }) => onSent(output.to)}
    >
      <TextField
        label={isSms ? 'Phone number' : 'E-mail address'}
        type={isSms ? 'tel' : 'email'}
        placeholder={isSms ? '+12025550123' : undefined}
        value={to}
        onChange={({ target }) => setTo(target.value.trim())}
      />
    </Action>
  )
}
