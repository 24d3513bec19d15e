import { WorkbenchPage } from './workbench-page';

export default function Page() {
  return <WorkbenchPage />;
}
