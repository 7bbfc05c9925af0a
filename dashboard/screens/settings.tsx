import { type AdminRouteOutput, adminAppRoutes } from '@latchkey/protocol/admin'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { CallFailure } from '../api/call.ts'
import { adminQuery } from '../api/queries.ts'
import { useChange } from '../shell/action.tsx'
import { Card, CurlButton, Facts, Screen } from '../shell/screen.tsx'
import { useCan } from '../shell/session.ts'
import { Button } from '../ui/button.tsx'
import { SelectField, Switch, TextField } from '../ui/fields.tsx'
import { Loaded, Muted, Problem } from '../ui/states.tsx'
import { approvalSentences } from './approval-rules.ts'
import { Propose } from './propose.tsx'
import styles from './screens.module.css'

const route = getRouteApi('/signed-in/apps/$app/settings')
const { getApp, updateApp } = adminAppRoutes
type App = AdminRouteOutput<typeof getApp>

/** The login methods, by their setting. */
const loginMethods = [
  ['email_auth', 'E-mail'],
  ['sms_auth', 'SMS'],
  ['passkey_auth', 'Passkey'],
  ['wallet_auth', 'Wallet'],
  ['google_oauth', 'Google'],
  ['apple_oauth', 'Apple'],
  ['discord_oauth', 'Discord'],
  ['github_oauth', 'GitHub'],
  ['linkedin_oauth', 'LinkedIn'],
  ['spotify_oauth', 'Spotify'],
  ['instagram_oauth', 'Instagram'],
  ['twitter_oauth', 'X'],
  ['tiktok_oauth', 'TikTok'],
  ['farcaster_auth', 'Farcaster'],
  ['telegram_auth', 'Telegram'],
] as const

export function Settings() {
  const params = route.useParams()
  const query = useQuery(adminQuery(getApp, { params }))
  return (
    <Loaded query={query}>
      {({ output, etag }) => (
        <Screen
          title={output.name}
          lead={<code>{output.id}</code>}
          call={<CurlButton route={getApp} input={{ params }} />}
        >
          <LookForm key={`look ${etag}`} app={output} etag={etag} />
          <LoginMethods key={`logins ${etag}`} app={output} etag={etag} />
          <Card title="Approvals" isPadded>
            <Facts rows={approvalSentences(output.settings)} />
            <Link to="/apps/$app/approvals" params={params}>
              Proposals
            </Link>
          </Card>
          <Card title="Origins" isPadded>
            <Facts
              rows={[
                ['Environment', output.environment],
                ['Allowed origins', output.allowedOrigins.join(', ') || <Muted>none</Muted>],
              ]}
            />
          </Card>
        </Screen>
      )}
    </Loaded>
  )
}

type FormProps = { app: App; etag: string | undefined }

const readText = ({ settings }: App, name: string) => {
  const value = settings[name]
  return typeof value === 'string' ? value : ''
}

/** Saves the settings that differ from the stored ones. */
function useSave({ app, etag }: FormProps, values: Readonly<Record<string, unknown>>) {
  const settings = Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => (app.settings[name] ?? (value === false ? false : null)) !== value,
    ),
  )
  const input = { params: { app: app.id }, body: { settings }, ifMatch: etag }
  const change = useChange(updateApp)
  return {
    input,
    error: change.error,
    isDisabled: change.isPending || Object.keys(settings).length === 0,
    submit(event: FormEvent) {
      event.preventDefault()
      change.mutate(input)
    },
  }
}

function SaveRow({ save: { input, error, isDisabled } }: { save: ReturnType<typeof useSave> }) {
  const can = useCan()
  const needsProposal = error instanceof CallFailure && error.code === 'needs_proposal'
  return (
    <div className={styles.row}>
      <Button kind="primary" type="submit" disabled={isDisabled}>
        Save
      </Button>
      {needsProposal && can('approvals:propose') && (
        <Propose app={input.params.app} label="Propose this change" settings={input.body.settings} />
      )}
      <CurlButton route={updateApp} input={input} />
    </div>
  )
}

const isColor = (text: string) => text === '' || /^#[0-9a-f]{6}$/i.test(text)
const orNull = (text: string) => (text === '' ? null : text)

function LookForm({ app, etag }: FormProps) {
  const can = useCan()
  const [name, setName] = useState(app.name)
  const [accent, setAccent] = useState(readText(app, 'accent_color'))
  const [theme, setTheme] = useState(readText(app, 'theme'))
  const [logo, setLogo] = useState(readText(app, 'logo_url'))
  const save = useSave(
    { app, etag },
    { name, accent_color: orNull(accent), theme: orNull(theme), logo_url: orNull(logo) },
  )
  return (
    <Card title="Look" isPadded>
      <div className={styles.columns}>
        <form className={styles.form} onSubmit={save.submit}>
          <TextField label="Name" value={name} onChange={({ target }) => setName(target.value)} />
          <TextField
            label="Accent color"
            placeholder="#0a66c9"
            value={accent}
            onChange={({ target }) => setAccent(target.value.trim())}
            problem={isColor(accent) ? undefined : 'Write a color as #rrggbb'}
          />
          <SelectField
            label="Theme"
            options={[
              ['', 'Chosen by the host page'],
              ['light', 'Light'],
              ['dark', 'Dark'],
              ['auto', 'As the browser'],
            ]}
            value={theme}
            onChange={({ target }) => setTheme(target.value)}
          />
          <TextField
            label="Logo"
            hint="An https address, or a data: URL of an image."
            value={logo}
            onChange={({ target }) => setLogo(target.value.trim())}
          />
          <Problem error={save.error} />
          {can('apps:write') && isColor(accent) && <SaveRow save={save} />}
        </form>
        <Preview name={name} accent={isColor(accent) && accent !== '' ? accent : '#0a66c9'} theme={theme} />
      </div>
    </Card>
  )
}

/** The first screen of the dialog, without its functions. */
const Preview = ({ name, accent, theme }: { name: string; accent: string; theme: string }) => (
  <figure className={styles.preview} aria-label="Preview">
    <div className={styles.dialog} data-theme={theme}>
      <strong>Log in to {name}</strong>
      <span
        className={styles.sample}
        style={{ background: accent, color: isLight(accent) ? '#000' : '#fff' }}
      >
        Continue
      </span>
      <Muted>Protected by Latchkey</Muted>
    </div>
  </figure>
)

/** Returns whether black text has more contrast on the color than white text (WCAG 2). */
function isLight(hex: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179
}

function LoginMethods({ app, etag }: FormProps) {
  const can = useCan()
  const [values, setValues] = useState<Readonly<Record<string, boolean>>>(() =>
    Object.fromEntries(loginMethods.map(([setting]) => [setting, app.settings[setting] === true])),
  )
  const save = useSave({ app, etag }, values)
  return (
    <Card title="Login methods" isPadded>
      <form className={styles.form} onSubmit={save.submit}>
        <div className={styles.switches}>
          {loginMethods.map(([setting, label]) => (
            <Switch
              key={setting}
              label={label}
              disabled={!can('apps:write')}
              checked={values[setting] ?? false}
              onChange={({ target }) => setValues({ ...values, [setting]: target.checked })}
            />
          ))}
        </div>
        <Problem error={save.error} />
        {can('apps:write') && <SaveRow save={save} />}
      </form>
    </Card>
  )
}
