import type { ReportFile } from '@riskboard/contract';
import { useState } from 'react';
import type { ListSelection } from '../../ui/list-columns.ts';

export type FileSelection = ReturnType<typeof useFileSelection>;

/** Selected files by id, with their names; a selection lasts over pages, searches and sorting. */
export function useFileSelection(rows: readonly ReportFile[] | undefined) {
  const [selected, setSelected] = useState<ReadonlyMap<string, string>>(new Map());

  function onChange(value: ListSelection): void {
    const names = new Map(rows?.map((file) => [file._id, file.originalFilename]));
    const ids = Object.keys(value).filter((id) => value[id] === true);
    setSelected(new Map(ids.map((id) => [id, names.get(id) ?? selected.get(id) ?? ''])));
  }

  return {
    selected,
    value: Object.fromEntries([...selected.keys()].map((id) => [id, true] as const)),
    onChange,
    selectAll: (files: readonly ReportFile[]) =>
      setSelected(new Map(files.map((file) => [file._id, file.originalFilename]))),
    clear: () => setSelected(new Map()),
  };
}
