import { pictures } from '../../gallery/pictures.ts'
import { startShell } from './shell-handle.ts'

await startShell(pictures, new URLSearchParams(location.search).get('locale') ?? 'en')
