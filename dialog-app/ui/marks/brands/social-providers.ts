/**
 * The marks of OAuth providers by name. Marks that other capabilities use have their own files, so that they load
 * alone.
 */
import type { SocialProvider } from '@latchkey/protocol'
import type { MarkDrawing } from '../mark.tsx'
import { apple } from './apple.ts'
import { google } from './google.ts'

export const socialProviderMarks: Readonly<Record<SocialProvider, MarkDrawing>> = {
  google,
  apple,
  twitter: [
    {
      fill: 'currentColor',
      path: 'M2.6 3h4.6l3.9 5.4L15.8 3h1.6l-5.6 6.4L18 17h-4.6l-4.2-5.8L4.1 17H2.5l5.9-6.8ZM5 4.2l9 11.6h1.6L6.6 4.2Z',
    },
  ],
  discord: [
    {
      fill: '#5865f2',
      path: 'M7.3 4.5c1.8-.4 3.6-.4 5.4 0l.6-.9c1.3.2 2.5.6 3.6 1.2 1.6 2.9 2.3 6 2 9.3-1.3 1-2.7 1.7-4.2 2.1l-.9-1.6c.5-.2 1-.4 1.4-.7-3.4 1.5-7 1.5-10.4 0 .4.3.9.5 1.4.7l-.9 1.6c-1.5-.4-2.9-1.1-4.2-2.1-.3-3.3.4-6.4 2-9.3 1.1-.6 2.3-1 3.6-1.2ZM5.6 10.3a1.5 1.7 0 1 0 3 0a1.5 1.7 0 1 0-3 0M11.4 10.3a1.5 1.7 0 1 0 3 0a1.5 1.7 0 1 0-3 0',
    },
  ],
  github: [
    {
      fill: 'currentColor',
      path: 'M7.4 18.1A8.5 8.5 0 1 1 12.6 18.1V15.2C12.6 14.3 12.3 13.8 11.9 13.5C14.3 13.2 15.6 12 15.6 9.5C15.6 8.5 15.3 7.8 14.8 7.2C15 6.6 15 5.8 14.7 5C13.9 5 13.1 5.4 12.4 5.9C10.8 5.5 9.2 5.5 7.6 5.9C6.9 5.4 6.1 5 5.3 5C5 5.8 5 6.6 5.2 7.2C4.7 7.8 4.4 8.5 4.4 9.5C4.4 12 5.7 13.2 8.1 13.5C7.7 13.8 7.5 14.2 7.4 14.7C6.3 15.1 5.6 14.7 5.1 13.8C4.8 13.3 4.3 13 3.9 13.1C4.6 13.6 4.8 14.2 5 14.8C5.4 15.9 6.4 16.2 7.4 16Z',
    },
  ],
  spotify: [
    { fill: '#1ed760', path: 'M1.5 10a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0-17 0' },
    { stroke: '#121212', width: 1.6, path: 'M5.2 7.5c3.2-.9 6.8-.6 9.7 1.1' },
    { stroke: '#121212', width: 1.4, path: 'M5.6 10.3c2.7-.7 5.7-.4 8.2 1' },
    { stroke: '#121212', width: 1.2, path: 'M6 12.9c2.2-.5 4.6-.3 6.6.9' },
  ],
  linkedin: [
    { fill: '#0a66c2', path: 'M4 2h12a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2Z' },
    {
      fill: '#fff',
      path: 'M4.6 5.9a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0-2.6 0M4.8 8.2H7v7H4.8ZM8.6 8.2h2.1v1c.4-.7 1.2-1.2 2.2-1.2 2 0 2.7 1.3 2.7 3.1v4.1h-2.2v-3.7c0-.9-.2-1.6-1.2-1.6s-1.4.7-1.4 1.6v3.7H8.6Z',
    },
  ],
  instagram: [
    {
      stroke: '#e1306c',
      width: 1.8,
      path: 'M6.5 2.9h7a3.6 3.6 0 0 1 3.6 3.6v7a3.6 3.6 0 0 1-3.6 3.6h-7a3.6 3.6 0 0 1-3.6-3.6v-7a3.6 3.6 0 0 1 3.6-3.6ZM6.6 10a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0-6.8 0',
    },
    { fill: '#e1306c', path: 'M13.2 5.8a1 1 0 1 0 2 0a1 1 0 1 0-2 0' },
  ],
  tiktok: [
    {
      fill: 'currentColor',
      path: 'M11 2h2.6c.2 2.1 1.5 3.5 3.6 3.7v2.6c-1.3 0-2.5-.4-3.6-1.1v5.5c0 3.2-2.2 5.3-5 5.3-2.8 0-5-2.2-5-5 0-2.9 2.4-5.1 5.4-4.9v2.7c-1.5-.3-2.7.8-2.7 2.2 0 1.3 1 2.3 2.3 2.3 1.4 0 2.4-1 2.4-2.6Z',
    },
  ],
}
