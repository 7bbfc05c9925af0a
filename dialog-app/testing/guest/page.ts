import { pictures as landing } from '../../capabilities/landing/gallery.ts'
import { allPictures } from '../../contract/picture.ts'
import { startShell } from '../../shell/testing/shell-handle.ts'
import { pictures as guest } from './gallery.ts'

await startShell(allPictures([landing, guest]), new URLSearchParams(location.search).get('locale') ?? 'en')
