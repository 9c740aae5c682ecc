// SPDX-License-Identifier: GPL-2.0
/*
 * A virtual I2C bus, /dev/i2c-1. Its chips are programs, or plain register files.
 *
 * Like the bus of a Raspberry Pi it does plain transfers, and the kernel makes the SMBus
 * calls out of them, so I2C_RDWR and I2C_SMBUS both work.
 * Compiled into the guest kernel by vm-run; the parameters are files in
 * /sys/module/i2c_lab/parameters and can be changed at any time.
 *
 * A program that opens /dev/i2c-lab, one at a time, is the chips at the addresses it names:
 *   write 'S' ADDRESS...            serves these addresses from now on, and no others
 *   poll, read SEQUENCE COUNT, and for each of the COUNT messages ADDRESS FLAGS LENGTH(2, low
 *         byte first), and the LENGTH bytes of a written message (FLAGS bit 0: it is read)
 *   write 'A' SEQUENCE ERRNO        the answer, with the bytes of all read messages after it
 *                                   when ERRNO is 0; ENOENT when it came too late
 * A server that says nothing for `timeout_ms` makes the transfer fail with ETIMEDOUT; one
 * that dies meanwhile, with EREMOTEIO, as if the chip had been pulled out.
 */
#include <linux/i2c.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/uaccess.h>

static ushort chip_addr[8] = { 0x19, 0x53, 0x68 };	/* register files that answer */
static uint chips = 3;
module_param_array(chip_addr, ushort, &chips, 0644);
static bool st_msb = true;	/* 0x18, 0x19: bit 7 of the register number asks for auto-increment */
module_param(st_msb, bool, 0644);
static int fail;		/* not 0: every transfer fails like a missing acknowledge */
module_param(fail, int, 0644);
static uint fail_at;		/* counts down with each transfer; the one that makes it 0 fails like that */
module_param(fail_at, uint, 0644);
static ulong xfers;		/* transfers that succeeded */
module_param(xfers, ulong, 0644);
static uint timeout_ms = 10000;	/* the patience with a server; the host may pause the whole guest */
module_param(timeout_ms, uint, 0644);
static uint functionality = I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;	/* without bit 0: SMBus calls only */
module_param(functionality, uint, 0644);

static u8 reg[128][256], pointer[128];
static bool step[128];

static DEFINE_MUTEX(lock);	/* of all below */
static DECLARE_WAIT_QUEUE_HEAD(queue);	/* a transfer, or its answer, has come */
static bool opened, served[128];
static struct i2c_msg *asked;	/* the transfer that waits for its answer */
static int asked_count, result;	/* result: 1 while there is none */
static bool taken;		/* whether the server has read it */
static u8 sequence;

static int ask_server(struct i2c_msg *m, int n)
{
	int r;

	mutex_lock(&lock);
	if (!served[m[0].addr & 127]) {	/* it has just gone */
		mutex_unlock(&lock);
		return -EREMOTEIO;
	}
	asked = m;
	asked_count = n;
	result = 1;
	taken = false;
	sequence++;
	mutex_unlock(&lock);
	wake_up(&queue);
	wait_event_killable_timeout(queue, READ_ONCE(result) <= 0, msecs_to_jiffies(timeout_ms));
	mutex_lock(&lock);
	asked = NULL;
	r = result;
	mutex_unlock(&lock);
	return r > 0 ? -ETIMEDOUT : r ? r : n;
}

static bool has_transfer(void)
{
	return READ_ONCE(asked) && !READ_ONCE(taken) && READ_ONCE(result) > 0;
}

static int put(char __user *to, size_t size, size_t *at, const void *from, size_t n)
{
	if (*at + n > size)
		return -EMSGSIZE;
	if (copy_to_user(to + *at, from, n))
		return -EFAULT;
	*at += n;
	return 0;
}

static ssize_t server_read(struct file *f, char __user *to, size_t size, loff_t *p)
{
	size_t at = 0;
	int i, e;

	mutex_lock(&lock);
	if (!has_transfer()) {
		mutex_unlock(&lock);
		return -EAGAIN;
	}
	e = put(to, size, &at, (u8[]){ sequence, asked_count }, 2);
	for (i = 0; i < asked_count && !e; i++) {
		struct i2c_msg *m = asked + i;

		e = put(to, size, &at, (u8[]){ m->addr, m->flags, m->len, m->len >> 8 }, 4);
		if (!e && !(m->flags & I2C_M_RD))
			e = put(to, size, &at, m->buf, m->len);
	}
	taken = !e;
	mutex_unlock(&lock);
	return e ? e : at;
}

static int take_answer(const char __user *from, size_t size, const u8 *head)
{
	size_t at = 3;
	int i;

	if (!asked || !taken || result <= 0 || head[1] != sequence)
		return -ENOENT;
	for (i = 0; i < asked_count && !head[2]; i++) {
		if (!(asked[i].flags & I2C_M_RD))
			continue;
		if (at + asked[i].len > size)
			return -EINVAL;
		if (copy_from_user(asked[i].buf, from + at, asked[i].len))
			return -EFAULT;
		at += asked[i].len;
	}
	WRITE_ONCE(result, -head[2]);
	return 0;
}

static ssize_t server_write(struct file *f, const char __user *from, size_t size, loff_t *p)
{
	u8 head[130] = { 0 };
	int i, e = 0;

	if (copy_from_user(head, from, min(size, sizeof(head))))
		return -EFAULT;
	mutex_lock(&lock);
	if (size >= 1 && size < sizeof(head) && head[0] == 'S') {
		memset(served, 0, sizeof(served));
		for (i = 1; i < size; i++)
			served[head[i] & 127] = true;
	} else if (size >= 3 && head[0] == 'A') {
		e = take_answer(from, size, head);
	} else {
		e = -EINVAL;
	}
	mutex_unlock(&lock);
	wake_up(&queue);
	return e ? e : size;
}

static __poll_t server_poll(struct file *f, poll_table *t)
{
	poll_wait(f, &queue, t);
	return EPOLLOUT | (has_transfer() ? EPOLLIN : 0);
}

static int server_open(struct inode *i, struct file *f)
{
	bool was;

	mutex_lock(&lock);
	was = opened;
	opened = true;
	mutex_unlock(&lock);
	return was ? -EBUSY : 0;
}

static int server_release(struct inode *i, struct file *f)
{
	mutex_lock(&lock);
	opened = false;
	memset(served, 0, sizeof(served));
	if (asked && result > 0)
		WRITE_ONCE(result, -EREMOTEIO);
	mutex_unlock(&lock);
	wake_up(&queue);
	return 0;
}

static const struct file_operations server_operations = {
	.owner = THIS_MODULE,
	.open = server_open,
	.release = server_release,
	.read = server_read,
	.write = server_write,
	.poll = server_poll,
};

static struct miscdevice server_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "i2c-lab",
	.fops = &server_operations,
	.mode = 0600,
};

static int register_file(struct i2c_msg *m)
{
	u8 c = m->addr & 127, *b = m->buf;
	bool st = st_msb && (c == 0x18 || c == 0x19);
	int j, k;

	for (k = 0; k < chips && chip_addr[k] != c; k++)
		;
	if (k == chips)
		return -EREMOTEIO;
	for (j = 0; j < m->len; j++) {
		if (j == 0 && !(m->flags & I2C_M_RD)) {	/* register number */
			pointer[c] = st ? b[0] & 0x7f : b[0];
			step[c] = !st || (b[0] & 0x80);
			continue;
		}
		if (m->flags & I2C_M_RD)
			b[j] = reg[c][pointer[c]];
		else
			reg[c][pointer[c]] = b[j];
		pointer[c] += step[c];
	}
	return 0;
}

static bool smbus;	/* the transfer to come is made out of an SMBus call; under the bus's lock */

static int lab_xfer(struct i2c_adapter *a, struct i2c_msg *m, int n)
{
	bool allowed = smbus || (functionality & I2C_FUNC_I2C);
	int i, e = 0;

	smbus = false;
	if (!allowed)
		return -EOPNOTSUPP;
	if (fail || (fail_at && --fail_at == 0))
		return -EREMOTEIO;
	for (i = 0; i < n; i++)
		if (m[i].flags & (I2C_M_RECV_LEN | I2C_M_TEN))
			return -EOPNOTSUPP;
	if (served[m[0].addr & 127]) {
		e = ask_server(m, n);
		e = e < 0 ? e : 0;
	} else {
		for (i = 0; i < n && !e; i++)
			e = register_file(m + i);
	}
	xfers += !e;
	return e ? e : n;
}

static int lab_smbus(struct i2c_adapter *a, u16 address, unsigned short flags, char rw, u8 command,
		     int kind, union i2c_smbus_data *data)
{
	smbus = true;
	return -EOPNOTSUPP;	/* so that the kernel makes a plain transfer of it */
}

static u32 lab_functionality(struct i2c_adapter *a)
{
	return functionality;
}

static const struct i2c_algorithm lab_algorithm = {
	.master_xfer = lab_xfer,
	.smbus_xfer = lab_smbus,
	.functionality = lab_functionality,
};

static struct i2c_adapter lab_adapter = {
	.owner = THIS_MODULE,
	.algo = &lab_algorithm,
	.name = "lab i2c",
	.nr = 1,
};

static int __init lab_init(void)
{
	int e = misc_register(&server_device);

	return e ? e : i2c_add_numbered_adapter(&lab_adapter);
}
device_initcall(lab_init);
