// SPDX-License-Identifier: GPL-2.0
/*
 * /proc/irq_latency and /proc/irq_latency_events, in the grammar of
 * firmware-target/README.md. Each open takes a copy: one read is one moment.
 */
#include <linux/cpumask.h>
#include <linux/kallsyms.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "rig_target.h"

static u64 rig_cost_per_section;
static u64 rig_step;

static int rig_by_seq(const void *a, const void *b)
{
	const struct rig_section *x = a, *y = b;

	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* "name.constprop.0 [module]" is "name [module]" in the source. */
static void rig_drop_clone_suffix(char *name)
{
	char *end = strchrnul(name, ' ');
	char *dot = strnchr(name, end - name, '.');

	if (dot && dot != name)
		memmove(dot, end, strlen(end) + 1);
}

/* One word: fields are set apart by blanks. */
static void rig_show_name(struct seq_file *m, const struct rig_section *s)
{
	char name[KSYM_SYMBOL_LEN];
	char *c;

	if (s->handler[0]) {
		strscpy(name, s->handler, sizeof(name));
	} else {
		snprintf(name, sizeof(name), "%ps", (void *)s->site);
		rig_drop_clone_suffix(name);
	}
	for (c = name; *c; c++) {
		if (*c == ' ' || *c == '\t')
			*c = '_';
	}
	seq_puts(m, name);
}

static void rig_show_row(struct seq_file *m, const struct rig_section *s)
{
	u32 us;
	u64 sec = div_u64_rem(div_u64(s->duration, NSEC_PER_USEC), USEC_PER_SEC, &us);

	seq_printf(m, "    %llu.%06u  ", sec, us);
	rig_show_name(m, s);
	if (s->handler[0])
		seq_printf(m, "  %u", s->irq);
	seq_putc(m, '\n');
}

static int rig_show_worst(struct seq_file *m, void *unused)
{
	const struct rig_snapshot *snap = m->private;
	unsigned int i = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		if (!(i < snap->nr && snap->sections[i].cpu == cpu) && !cpu_online(cpu))
			continue;
		seq_printf(m, "irq latency worst %u @ CPU %d\n", RIG_NR_WORST, cpu);
		seq_printf(m, "filter: %u\n", snap->filter_us);
		for (; i < snap->nr && snap->sections[i].cpu == cpu; i++)
			rig_show_row(m, &snap->sections[i]);
	}
	return 0;
}

static int rig_show_events(struct seq_file *m, void *unused)
{
	const struct rig_snapshot *snap = m->private;
	unsigned int i;

	seq_puts(m, "# irq_latency_events 1\n");
	seq_printf(m, "# filter_us: %u\n", snap->filter_us);
	seq_printf(m, "# dropped: %llu\n", snap->overwritten);
	seq_puts(m, "# clock: " RIG_CLOCK_NAME "\n");
	seq_printf(m, "# clock_step_ns: %llu\n", rig_step);
	seq_printf(m, "# cost_per_section_ns: %llu\n", rig_cost_per_section);
	seq_puts(m, "# source: module\n");

	for (i = 0; i < snap->nr; i++) {
		const struct rig_section *s = &snap->sections[i];

		seq_printf(m, "%llu %d %llu %llu ", s->seq, s->cpu, s->start, s->duration);
		rig_show_name(m, s);
		if (s->handler[0])
			seq_printf(m, " %u\n", s->irq);
		else
			seq_puts(m, " -\n");
	}
	return 0;
}

static int rig_open_copy(struct file *file, enum rig_list list,
			 int (*show)(struct seq_file *, void *))
{
	struct rig_snapshot *snap = rig_sections_copy(list);
	int err;

	if (!snap)
		return -ENOMEM;
	if (list == RIG_EVENTS)
		sort(snap->sections, snap->nr, sizeof(snap->sections[0]), rig_by_seq, NULL);
	err = single_open(file, show, snap);
	if (err)
		kvfree(snap);
	return err;
}

static int rig_open_worst(struct inode *inode, struct file *file)
{
	return rig_open_copy(file, RIG_WORST, rig_show_worst);
}

static int rig_open_events(struct inode *inode, struct file *file)
{
	return rig_open_copy(file, RIG_EVENTS, rig_show_events);
}

static int rig_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;

	kvfree(m->private);
	return single_release(inode, file);
}

static ssize_t rig_write(struct file *file, const char __user *ubuf, size_t count,
			 loff_t *ppos)
{
	static const char filter[] = "filter ";
	char buf[32], *word;
	int err = -EINVAL;
	u32 us;

	if (count >= sizeof(buf))
		return -EINVAL;
	if (copy_from_user(buf, ubuf, count))
		return -EFAULT;
	buf[count] = '\0';
	word = strim(buf);

	if (!strcmp(word, "reset")) {
		rig_sections_reset();
		err = 0;
	} else if (!strncmp(word, filter, strlen(filter)) &&
		   !kstrtou32(word + strlen(filter), 10, &us)) {
		err = rig_sections_set_filter(us);
	}
	return err ? err : count;
}

static const struct proc_ops rig_worst_ops = {
	.proc_open	= rig_open_worst,
	.proc_read	= seq_read,
	.proc_lseek	= seq_lseek,
	.proc_write	= rig_write,
	.proc_release	= rig_release,
};

static const struct proc_ops rig_events_ops = {
	.proc_open	= rig_open_events,
	.proc_read	= seq_read,
	.proc_lseek	= seq_lseek,
	.proc_release	= rig_release,
};

int rig_latency_files_init(u64 cost_per_section)
{
	rig_cost_per_section = cost_per_section;
	rig_step = rig_clock_step();
	if (!proc_create("irq_latency", 0644, NULL, &rig_worst_ops))
		return -ENOMEM;
	if (!proc_create("irq_latency_events", 0444, NULL, &rig_events_ops)) {
		remove_proc_entry("irq_latency", NULL);
		return -ENOMEM;
	}
	return 0;
}

void rig_latency_files_exit(void)
{
	remove_proc_entry("irq_latency_events", NULL);
	remove_proc_entry("irq_latency", NULL);
}
