import {
  CellStyleModule,
  ColumnApiModule,
  EventApiModule,
  InfiniteRowModelModule,
  ModuleRegistry,
  RenderApiModule,
  RowApiModule,
  RowSelectionModule,
  RowStyleModule,
  ScrollApiModule,
  TooltipModule,
} from 'ag-grid-community';

// The grid loads only the modules in use; the community bundle as a whole is twice as large.
ModuleRegistry.registerModules([
  InfiniteRowModelModule,
  ColumnApiModule,
  CellStyleModule,
  RowStyleModule,
  EventApiModule,
  RenderApiModule,
  RowApiModule,
  RowSelectionModule,
  ScrollApiModule,
  TooltipModule,
]);
