export const enAudit = {
  title: 'Audit log',
}

export const deAudit: typeof enAudit = {
  title: 'Protokoll',
}
