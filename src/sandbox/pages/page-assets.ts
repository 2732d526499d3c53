import { sharedAssets, type StaticAssets } from '../../web/pages/static-assets.ts'

/** Name in the address to file: what all pages share, and our own. */
export const assetFiles = {
  ...sharedAssets,
  'docs.css': own('docs.css'),
  'docs.js': own('docs.js'),
  'try-it.js': own('try-it.js'),
  'shown-json.js': own('shown-json.js'),
  'sandbox.css': own('sandbox.css'),
  'sandbox.js': own('sandbox.js'),
  'sandbox-client.js': own('sandbox-client.js'),
  'sandbox-elements.js': own('sandbox-elements.js'),
  'sandbox-form.js': own('sandbox-form.js'),
  'sandbox-fields.js': own('sandbox-fields.js'),
  'sandbox-pointer.js': own('sandbox-pointer.js'),
  'sandbox-kinds.js': own('sandbox-kinds.js'),
  'sandbox-actions.js': own('sandbox-actions.js'),
  'sandbox-records.js': own('sandbox-records.js'),
  'sandbox-record.js': own('sandbox-record.js'),
  'sandbox-calendar.js': own('sandbox-calendar.js'),
  'sandbox-meanwhile.js': own('sandbox-meanwhile.js'),
  'sandbox-behaviour.js': own('sandbox-behaviour.js'),
  'sandbox-habits.js': own('sandbox-habits.js'),
  'sandbox-habit-fields.js': own('sandbox-habit-fields.js'),
  'sandbox-requests.js': own('sandbox-requests.js'),
  'sandbox-reset.js': own('sandbox-reset.js'),
} as const

export type AssetName = keyof typeof assetFiles

/** The files that the sandbox's pages load. */
export type PageAssets = StaticAssets<AssetName>

function own(file: string): string {
  return new URL(`assets/${file}`, import.meta.url).href
}
