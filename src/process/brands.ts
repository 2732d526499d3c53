import type { Brand } from '../domain/brand.ts'
import { nameInWords } from '../domain/company.ts'
import type { Settings } from '../settings/read-settings.ts'

/** Returns the brand of a company; for none or an unknown one, the only company's, or else the bridge's. */
export function brandsOf(settings: Settings): (companyId?: string) => Brand {
  const { companies, embedded, brand: ofBridge } = settings
  const brands = new Map(
    (companies ?? [embedded.company]).map(({ company, brand }) => [
      company.id,
      {
        name: brand.name ?? ofBridge.name ?? nameInWords(company),
        logo: brand.logo ?? ofBridge.logo,
        color: brand.color ?? ofBridge.color,
      },
    ]),
  )
  const [only, ...others] = brands.values()
  const ofNone = only && others.length === 0 ? only : ofBridge
  return (companyId = '') => brands.get(companyId) ?? ofNone
}
