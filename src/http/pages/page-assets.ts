import { sharedAssets, type StaticAssets } from '../../web/pages/static-assets.ts'

/** Name in the address to file: of the packages that are served as they come, and our own. */
export const assetFiles = {
  ...sharedAssets,
  'fullcalendar.css': import.meta.resolve('fullcalendar/skeleton.css'),
  'fullcalendar-theme.css': import.meta.resolve('fullcalendar/themes/breezy/theme.css'),
  'fullcalendar.js': beside('fullcalendar/all', 'global.js'),
  'fullcalendar-theme.js': beside('fullcalendar/themes/breezy', 'global.js'),
  'fullcalendar-de.js': beside('fullcalendar/locales/de', 'global.js'),
  'ical.js': beside('ical.js', 'ical.min.js'),
  'page.css': [sharedAssets['page.css'], own('feed-page.css')],
  'calendar.css': own('calendar.css'),
  'feed-page.js': own('feed-page.js'),
  'preview.js': own('preview.js'),
  'preview-events.js': own('preview-events.js'),
  'preview-list.js': own('preview-list.js'),
  'preview-month.js': own('preview-month.js'),
  'preview-dialog.js': own('preview-dialog.js'),
  'preview-times.js': own('preview-times.js'),
} as const

export type AssetName = keyof typeof assetFiles

/** The files that the pages load. */
export type PageAssets = StaticAssets<AssetName>

/** The script for browsers that lies beside what the package exports. */
function beside(exported: string, file: string): string {
  return new URL(file, import.meta.resolve(exported)).href
}

function own(file: string): string {
  return new URL(`assets/${file}`, import.meta.url).href
}
